package org.saevhadoop.converters.source;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.options.KeyCommand;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that looks at one dataset, with the reading options of all formats. */
abstract class SourceCommand implements Callable<Integer>, KeyCommand {
  final Console console;

  @Spec CommandSpec spec;

  private KeyOptions options;

  SourceCommand(Console console) {
    this.console = console;
  }

  /** Returns the keys that it understands whatever the format. */
  abstract List<SettingKey<?>> commonKeys();

  @Override
  public final List<KeyOptions.Group> keyGroups() {
    return SourceRequest.groups(commonKeys());
  }

  @Override
  public final void use(KeyOptions keyOptions) {
    options = keyOptions;
  }

  /** Returns whether an option of a key was given. */
  final boolean isTyped(SettingKey<?> key) {
    return key.options().stream().anyMatch(option -> options.isTyped(option.name()));
  }

  /**
   * Returns the configuration, once it is checked.
   *
   * @throws org.saevhadoop.mapreduce.conf.SettingException if an option or a key is wrong
   */
  final Configuration checkedConf() {
    Configuration conf = console.conf();
    options.check(conf, DatasetFormats.keys(), console::warn);
    return conf;
  }

  /**
   * Returns what is asked for of the dataset at a path.
   *
   * @throws FormatException if nothing lies there, or something of an unknown format
   */
  final SourceRequest request(String path, Configuration conf) throws IOException {
    SourceRequest request = SourceRequest.of(path, null, options, console::warn, conf);
    request.warnOfOptionsWithoutEffect(options, console::warn);
    return request;
  }

  /**
   * Returns what a format can do.
   *
   * @param capability how a format is asked for it
   * @param what what a dataset of another format does not have
   * @throws FormatException if the format cannot do it
   */
  static <T> T require(
      SourceRequest request, Function<DatasetFormat, Optional<T>> capability, String what)
      throws FormatException {
    Optional<T> found = capability.apply(request.format().format());
    if (found.isPresent()) {
      return found.get();
    }
    String formats =
        DatasetFormats.all().stream()
            .filter(entry -> capability.apply(entry.format()).isPresent())
            .map(DatasetFormats.Entry::name)
            .collect(Collectors.joining(" or "));
    throw FormatException.of(
        request.location().path(),
        "%s has no %s (expected %s)",
        request.format().name(),
        what,
        formats);
  }

  /** Returns an error of the command line, which ends with exit code 2. */
  final ParameterException wrongUse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
