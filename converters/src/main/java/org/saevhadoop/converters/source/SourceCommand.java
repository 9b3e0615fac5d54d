package org.saevhadoop.converters.source;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.job.JobRun;
import org.saevhadoop.converters.options.KeyCommand;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.NamedTensors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base of commands that read one dataset, with the reading options of all formats. */
public abstract class SourceCommand implements Callable<Integer>, KeyCommand {
  public final Console console;

  @Spec protected CommandSpec spec;

  private KeyOptions options;

  public SourceCommand(Console console) {
    this.console = console;
  }

  /** Returns the keys that it understands whatever the format. */
  protected abstract List<SettingKey<?>> commonKeys();

  @Override
  public final List<KeyOptions.Group> keyGroups() {
    return SourceRequest.groups(commonKeys());
  }

  @Override
  public final void use(KeyOptions keyOptions) {
    options = keyOptions;
  }

  /** Returns whether an option of a key was given. */
  protected final boolean isTyped(SettingKey<?> key) {
    return key.options().stream().anyMatch(option -> options.isTyped(option.name()));
  }

  /**
   * Prepares the configuration, checks options and keys, and returns it.
   *
   * @throws org.saevhadoop.mapreduce.conf.SettingException if an option or a key is invalid
   */
  protected final Configuration checkedConf() throws IOException {
    Configuration conf = console.conf();
    JobRun.prepare(conf);
    options.check(conf, DatasetFormats.registry().keys(), console::warn);
    return conf;
  }

  /**
   * Returns the request for the dataset at a path.
   *
   * @throws FormatException if the path does not exist, or the format is unknown
   */
  protected final SourceRequest request(String path) throws IOException {
    SourceRequest request = SourceRequest.of(path, null, options, console);
    console.reads(request.location().path());
    request.warnOfOptionsWithoutEffect(options, console::warn);
    return request;
  }

  /**
   * Returns a capability of the format.
   *
   * @param capability returns the capability of a format, if it has it
   * @param what the name of the capability, for the error message
   * @throws FormatException if the format does not have the capability
   */
  protected static <T> T require(
      SourceRequest request, Function<DatasetFormat, Optional<T>> capability, String what)
      throws FormatException {
    Optional<T> found = capability.apply(request.format().format());
    if (found.isPresent()) {
      return found.get();
    }
    String formats =
        DatasetFormats.registry().all().stream()
            .filter(entry -> capability.apply(entry.format()).isPresent())
            .map(DatasetFormats.Entry::name)
            .collect(Collectors.joining(" or "));
    throw DatasetError.UNSUPPORTED.in(
        request.location().path(),
        "%s has no %s (expected %s)",
        request.format().name(),
        what,
        formats);
  }

  /**
   * Returns the access to tensors by key.
   *
   * @throws FormatException if the format has none
   */
  protected static NamedTensors requireKeys(SourceRequest request) throws FormatException {
    return require(request, format -> format.namedTensors().filter(NamedTensors::hasKeys), "keys");
  }

  /** Returns a command line error, with which the command ends with exit code 2. */
  protected final ParameterException wrongUse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
