package org.saevhadoop.converters.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.console.ShellWord;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.settings.CommandOption;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.InputKeys;
import picocli.CommandLine.ParseResult;

/** A command that a note, a proposal or an error prints, ready to be pasted. */
public final class NextCommand {
  private static final String INPUT = SettingKey.PREFIX + "input.";

  private final SourceCommand before;
  private final List<String> words = new ArrayList<>();

  private NextCommand(SourceCommand before) {
    this.before = before;
  }

  /** Returns a command whose only options are Hadoop's generic ones, as they were typed. */
  public static NextCommand of(SourceCommand before, String name, String... paths) {
    NextCommand next = new NextCommand(before);
    next.words.add(name);
    next.words.addAll(before.console.called().generic(key -> !key.startsWith(SettingKey.PREFIX)));
    for (String path : paths) {
      next.words.add(path.startsWith("-") ? "./" + path : path);
    }
    return next;
  }

  /** Returns a conversion to a path that does not exist yet. */
  public static NextCommand convert(SourceCommand before, String source, DatasetFormat to)
      throws IOException {
    return of(before, "convert", source, newPath(source, before.runner()))
        .with(List.of("--to", to.name()));
  }

  private static String newPath(String source, JobRunner runner) throws IOException {
    String name = "OUT";
    Configuration conf = runner.configured();
    if (conf != null && !isOfSameServer(source, name, conf)) {
      return name; // no server is asked only for this
    }
    String inside = runner.path(source).shown() + "/";
    for (int i = 2; ; i++) {
      StoragePath path = runner.path(name);
      while (path.shown().startsWith(inside)) {
        name = "../" + name;
        path = runner.path(name);
      }
      if (path.kind() == StoragePath.Kind.MISSING) {
        return name;
      }
      name = name.replaceFirst("\\d*$", Integer.toString(i));
    }
  }

  private static boolean isOfSameServer(String a, String b, Configuration conf) throws IOException {
    return PathArgument.root(PathArgument.parse(a, conf))
        .equals(PathArgument.root(PathArgument.parse(b, conf)));
  }

  /** Adds words. */
  public NextCommand with(Collection<String> options) {
    words.addAll(options);
    return this;
  }

  /**
   * Adds the option for float32 values, unless the format can store the values without it.
   *
   * @param stored the types of activations
   */
  public NextCommand withType(DatasetFormat to, Collection<DType> stored) {
    boolean keeps = to.requireWriting().keepsStoredTypes(Settings.NONE, stored, false);
    boolean isHeld =
        stored.stream()
            .allMatch(
                type ->
                    keeps
                        ? to.requireWriting().writableTypes().contains(type)
                        : DTypeConversion.isExact(type, DType.F32));
    return isHeld ? this : with(List.of("--dtype", DType.F32.name()));
  }

  /** Adds the options and keys that were typed and that control reading. */
  public NextCommand withTyped() {
    words.addAll(1, before.console.called().generic(key -> key.startsWith(INPUT)));
    typed(
        (key, option) -> {
          words.add(option.name());
          words.addAll(option.isFlag() ? List.of() : values(option));
        });
    return this;
  }

  /**
   * Adds the keys that the first of two sources needs.
   *
   * @param written the format of the second source, which was converted from the first
   */
  NextCommand withTypedOfFirst(SourceRequest source, DatasetFormat written) throws IOException {
    Set<SettingKey<?>> effective = new HashSet<>(InputKeys.all());
    effective.add(before.console.formats().sourceFormat());
    for (SettingKey<?> key : source.format().readingKeys()) {
      if (!isForResult(key) || !isReadable(source, source.spec().format().without(key))) {
        effective.add(key);
      }
    }
    // samples keep their lengths; arrays of another program have become arrays of this one
    boolean isOfSamples = !source.format().readingKeys().contains(ArrayKeys.TENSORS);
    String ofBoth = isOfSamples && written.equals(source.format()) ? ArrayKeys.RAGGED.name() : "";
    UnaryOperator<String> named =
        key -> key.startsWith(ofBoth + "=") ? key : INPUT + "0." + key.substring(INPUT.length());
    before.console.called().generic(key -> key.startsWith(INPUT)).stream()
        .map(word -> word.startsWith(INPUT) ? named.apply(word) : word)
        .forEach(words::add);
    typed(
        (key, option) -> {
          if (effective.contains(key)) {
            String value = option.isFlag() ? option.value() : key.type().join(values(option));
            words.addAll(1, List.of("-D", named.apply(key.name() + "=" + value)));
          }
        });
    return this;
  }

  /** Returns whether the typed option of a key also affects the output. */
  private boolean isForResult(SettingKey<?> key) {
    String name = ConversionKeys.SAMPLE_METADATA.options().get(0).name();
    return before.isTyped(key) && key.options().get(0).name().equals(name);
  }

  private boolean isReadable(SourceRequest source, Settings settings) throws IOException {
    try {
      source.format().open(source.location(), settings, before.console.formats());
      return true;
    } catch (FormatException e) {
      return false;
    }
  }

  private void typed(BiConsumer<SettingKey<?>, CommandOption> action) {
    Set<String> names = new HashSet<>(); // several formats may have the same key
    for (KeyOptions.Group group : before.keyGroups()) {
      for (SettingKey<?> key : group.keys()) {
        for (CommandOption option : key.options()) {
          boolean isTyped = key.name().startsWith(INPUT) && before.options.isTyped(option.name());
          if (isTyped && names.add(option.name())) {
            action.accept(key, option);
          }
        }
      }
    }
  }

  private List<String> values(CommandOption option) {
    ParseResult parsed = before.spec.commandLine().getParseResult();
    return parsed.matchedOption(option.name()).stringValues();
  }

  /**
   * Shows the command after a note.
   *
   * @param note a description of the command, such as {@code verify checks it}
   */
  public void show(String note) {
    before.console.next(note, line());
  }

  public String line() {
    return before.console.called().name() + " " + ShellWord.quoted(words);
  }
}
