package org.saevhadoop.converters.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.NamedTensors;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.CombineKeys;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.ProjectKeys;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The base class of commands that read datasets, with the reading options of all formats.
 *
 * <p>Picocli loads the types of all fields and methods of a command, so these types must not be
 * Hadoop's: commands that read local files need no Hadoop classes.
 */
public abstract class SourceCommand implements Callable<Integer> {
  /** The title of the keys that select a part of a dataset. */
  static final String PART = "part of the dataset";

  /** The kinds of errors for files whose arrays can be read in several ways. */
  private static final Set<ErrorKind> UNDECIDED =
      Set.of(
          ArrayError.AMBIGUOUS,
          ArrayError.NO_LAYER_NUMBER,
          ArrayError.DUPLICATE,
          DatasetError.RAGGED,
          DatasetError.UNKNOWN_FORMAT,
          DatasetError.NO_ACTIVATIONS,
          NpyError.NOT_NPY,
          NpyError.NO_DESCRIPTION);

  public final Console console;

  @Spec protected CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // set before call()
  KeyOptions options;

  public SourceCommand(Console console) {
    this.console = console;
  }

  /** Returns the keys that the command accepts for any format: by default, the selection keys. */
  protected List<SettingKey<?>> commonKeys() {
    return InputKeys.projection();
  }

  /** Returns whether the command reads several datasets as one. */
  protected boolean readsSeveral() {
    return false;
  }

  /** Returns the output keys that the command accepts; none by default. */
  protected List<SettingKey<?>> writingKeys() {
    return List.of();
  }

  /** Returns the keys that options set, in the order in which the help lists their options. */
  public List<KeyOptions.Group> keyGroups() {
    return groups(List.of(new KeyOptions.Group(PART, commonKeys())), false);
  }

  /**
   * Returns the groups of keys that control the input of the command.
   *
   * @param common the groups of keys that apply to all formats
   * @param surveys whether the command surveys a dataset before it reads it
   */
  final List<KeyOptions.Group> groups(List<KeyOptions.Group> common, boolean surveys) {
    List<KeyOptions.Group> groups = new ArrayList<>(common);
    if (readsSeveral()) {
      groups.add(new KeyOptions.Group("several datasets", CombineKeys.all()));
    }
    groups.add(
        new KeyOptions.Group("reading any format", List.of(console.formats().sourceFormat())));
    for (DatasetFormat entry : console.formats().all()) {
      List<SettingKey<?>> keys = new ArrayList<>(entry.readingKeys());
      if (!surveys) {
        entry.survey().ifPresent(survey -> keys.removeAll(survey.keys()));
      }
      groups.add(new KeyOptions.Group("reading " + entry.name(), keys));
    }
    return groups;
  }

  /** Sets the options, which provide the user's values once the command line is parsed. */
  public final void use(KeyOptions keyOptions) {
    options = keyOptions;
  }

  /** Returns the name of a column, or of a layer if the column is a layer, for use in text. */
  static String name(@Nullable Integer layer, @Nullable String column) {
    return layer == null ? "column " + Quote.show(column) : "layer " + layer;
  }

  protected final boolean isTyped(SettingKey<?> key) {
    return key.options().stream().anyMatch(option -> options.isTyped(option.name()));
  }

  protected final JobRunner runner() throws IOException {
    return console.runner();
  }

  /**
   * Checks options and keys.
   *
   * @throws org.saevhadoop.format.settings.SettingException if an option or a key is invalid
   */
  protected final void checkKeys() throws IOException {
    options.check(runner().configured(), ProjectKeys.of(console.formats()), console::warning);
  }

  /** Returns whether a key is set in the configuration. */
  protected final boolean isConfigured(SettingKey<?> key) throws IOException {
    Configuration conf = runner().configured();
    return conf != null && conf.getRaw(key.name()) != null;
  }

  /**
   * Returns the request for the dataset at a path, or for the only dataset below it, and for the
   * datasets that are read with it.
   *
   * @throws FormatException if the path does not exist, or the format is unknown
   */
  protected final SourceRequest request(String path) throws IOException {
    SourceRequest request =
        readsSeveral()
            ? SourceRequest.of(path, settings(), runner())
            : SourceRequest.one(path, settings(), runner());
    console.reads(request.location().path());
    warnOfOptionsWithoutEffect(request.members());
    return request;
  }

  /**
   * Returns the path of the source as it was typed, unless that path names a folder above the
   * source.
   */
  protected final String asTyped(String typed, String shown, Location location) throws IOException {
    boolean isSame = SourceRequest.location(typed, runner()).path().equals(location.path());
    return isSame ? typed : shown;
  }

  /**
   * Returns the requests for the datasets at several paths, or below them. An option applies to
   * each dataset in whose format it has an effect.
   *
   * @throws FormatException if a path does not exist, or its format is unknown
   */
  protected final List<SourceRequest> requests(List<String> paths) throws IOException {
    List<SourceRequest> requests = SourceRequest.of(paths, settings(), runner());
    warnOfOptionsWithoutEffect(requests);
    return requests;
  }

  /** Returns the paths of the sources, as they were typed. */
  protected List<String> sources() {
    String first = spec.positionalParameters().get(0).getValue();
    return first == null ? List.of() : List.of(first);
  }

  /**
   * Returns the path of the dataset that the command writes, as it was typed; null if it writes
   * none.
   */
  public @Nullable String destination() {
    return null;
  }

  /**
   * Returns an error with a command that proposes how to read a source, if there is such a command.
   */
  public final Exception withProposal(Exception error) throws IOException {
    if (error instanceof FormatException e && UNDECIDED.contains(e.kind())) {
      for (String path : sources()) {
        StoragePath source = runner().path(path);
        if (e.path().startsWith(source.shown()) && source.kind() != StoragePath.Kind.MISSING) {
          Location location = SourceRequest.location(path, runner());
          DatasetFormat detected = console.formats().find(location).orElse(null);
          Optional<DatasetFormats.Proposed> found =
              console.formats().propose(location, detected, null);
          if (found.isPresent()) {
            return proposal(e, path, found.get());
          }
        }
      }
    }
    return error;
  }

  UndecidedException proposal(FormatException error, String path, DatasetFormats.Proposed found) {
    return new UndecidedException(
        error, "inspect proposes commands", NextCommand.of(this, "inspect", path).line());
  }

  final SettingSource settings() {
    return options.settings(console::warning);
  }

  /** Returns the format that the user has named for the source. */
  protected final Optional<DatasetFormat> askedFormat() throws IOException {
    SettingKey<DatasetFormat> key = console.formats().sourceFormat();
    return Optional.ofNullable(
        options.settings(runner().configured(), List.of(key), warning -> {}).get(key));
  }

  final void warnOfOptionsWithoutEffect(List<SourceRequest> requests) throws IOException {
    List<SettingKey<?>> effective = new ArrayList<>(InputKeys.all());
    effective.addAll(CombineKeys.all());
    effective.addAll(writingKeys());
    requests.forEach(request -> effective.addAll(request.format().readingKeys()));
    Optional<DatasetFormat> asked = askedFormat();
    if (requests.stream().anyMatch(request -> asked.equals(Optional.of(request.format())))) {
      effective.add(console.formats().sourceFormat());
    }
    String formats =
        requests.stream()
            .map(request -> request.format().name())
            .distinct()
            .collect(Collectors.joining(" or "));
    for (String name : options.withoutEffect(effective)) {
      console.warning("%s has no effect with a source of format %s".formatted(name, formats));
    }
  }

  /** Warns about options that have no effect for the source, or for the format to be written. */
  final void warnOfOptionsWithoutEffect(SourceRequest request, DatasetFormat to) {
    List<SettingKey<?>> effective = new ArrayList<>(Conversion.writingKeys(to));
    effective.addAll(InputKeys.all());
    effective.addAll(CombineKeys.all());
    effective.add(console.formats().sourceFormat());
    request.members().forEach(member -> effective.addAll(member.format().readingKeys()));
    for (String name : options.withoutEffect(effective)) {
      boolean reading =
          console.formats().all().stream()
              .flatMap(entry -> entry.readingKeys().stream())
              .anyMatch(key -> key.options().stream().anyMatch(o -> o.name().equals(name)));
      console.warning(
          reading
              ? "%s has no effect with a source of format %s"
                  .formatted(name, request.format().name())
              : "%s has no effect with --to %s".formatted(name, to.name()));
    }
  }

  /**
   * Returns a capability of the format.
   *
   * @param capability returns the capability of a format; empty if the format lacks it
   * @param what the name of the capability, for the error message
   * @throws FormatException if the format does not have the capability
   */
  protected final <T> T require(
      SourceRequest request, Function<DatasetFormat, Optional<T>> capability, String what)
      throws FormatException {
    Optional<T> found = capability.apply(request.format());
    if (found.isPresent()) {
      return found.get();
    }
    String formats =
        console.formats().all().stream()
            .filter(entry -> capability.apply(entry).isPresent())
            .map(DatasetFormat::name)
            .collect(Collectors.joining(" or "));
    throw DatasetError.UNSUPPORTED.in(
        request.location().path(),
        "the %s format has no %s (expected %s)",
        request.format().name(),
        what,
        formats);
  }

  /**
   * Returns the interface for access to tensors by key.
   *
   * @throws FormatException if the format does not provide access by key
   */
  protected final NamedTensors requireKeys(SourceRequest request) throws FormatException {
    return require(request, format -> format.namedTensors().filter(NamedTensors::hasKeys), "keys");
  }

  /** Shows which programs can read the result, unless all programs can. */
  final void showReaders(DatasetFormat to) throws IOException {
    DatasetWriting writing = to.requireWriting();
    writing
        .readers(settings().settings(runner().configured(), writing.writingKeys()))
        .ifPresent(line -> console.message("note: " + line));
  }

  /** Returns a command line error, which ends the command with exit code 2. */
  protected final ParameterException usageError(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Returns the share of the examples that {@code --sample} specifies; 1 without the option. */
  protected static double share(@Nullable String text) {
    if (text == null) {
      return 1;
    }
    double share = Double.NaN;
    try {
      share =
          text.endsWith("%")
              ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
              : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      // NaN is refused below
    }
    if (!(share > 0 && share <= 1)) {
      throw new SettingException(
          "--sample is %s (expected a share of more than 0 and at most 1, or 100%%%s)"
              .formatted(text, share > 1 ? "; --limit N reads the first N examples" : ""));
    }
    return share;
  }
}
