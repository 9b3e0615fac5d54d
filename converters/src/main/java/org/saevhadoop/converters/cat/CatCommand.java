package org.saevhadoop.converters.cat;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.projection.IndexPieces;
import org.saevhadoop.format.projection.LayerRequest;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.projection.TokenRequest;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.slice.SliceException;
import org.saevhadoop.format.slice.TensorSlice;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.NamedTensors;
import org.saevhadoop.format.spi.NamedTensors.OpenTensor;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.InputKeys;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Prints vectors, sample metadata or a tensor. */
@Command(
    name = "cat",
    sortOptions = false,
    description = {
      "Prints vectors, sample metadata or a tensor.",
      "Prints one example, one vector, or the part that is selected. Examples, layers and tokens"
          + " have the numbers that the dataset gives them."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop cat shards/64988989 --example 4 --layer 13 --token 0",
      "  saev-hadoop cat shards/64988989 --examples 0:2 --format npy",
      "  saev-hadoop cat out/part.safetensors --name layer_13 --slice 0,:,0:4"
    })
public final class CatCommand extends SourceCommand {
  /** The formats in which values are printed. */
  enum Format {
    text,
    json,
    hex,
    npy,
    bin
  }

  /** The formats that {@code --format} accepts; JSON has its own option. */
  enum NamedFormat {
    text(Format.text),
    hex(Format.hex),
    npy(Format.npy),
    bin(Format.bin);

    private final Format format;

    NamedFormat(Format format) {
      this.format = format;
    }
  }

  @Parameters(paramLabel = "PATH", description = "The dataset.")
  String path;

  @ArgGroup(multiplicity = "0..1")
  Start start = new Start();

  static final class Start {
    @Option(names = "--example", paramLabel = "N", description = "All vectors of one example.")
    @Nullable Long example;

    @Option(
        names = "--index",
        paramLabel = "I",
        description =
            "One vector: the one at this index of the list of all vectors that are selected, by"
                + " example, layer and token.")
    @Nullable Long index;

    @Option(
        names = "--name",
        paramLabel = "NAME",
        description =
            "One tensor of a file of tensors, or of a folder with model.safetensors.index.json.")
    @Nullable String name;

    @Option(
        names = "--key",
        paramLabel = "KEY",
        description = "One tensor of a dataset in the kv layout, through its index if it has one.")
    @Nullable String key;
  }

  @Option(
      names = "--sample-metadata",
      description =
          "Print sample metadata and token ids instead of vectors, of all or the selected"
              + " examples: a line of JSON for each.")
  boolean sampleMetadata;

  @Option(
      names = "--slice",
      paramLabel = "0:10,3",
      description =
          "With --name or --key: a part of the tensor, an index or a range for each leading"
              + " dimension as in numpy, without steps (default: all of it).")
  String slice;

  @Option(
      names = "--layer",
      paramLabel = "L",
      description = "One layer, as the model numbers it; a .npy file has no axis for it.")
  Integer layer;

  @Option(
      names = "--token",
      paramLabel = "T",
      description =
          "One of the tokens that are selected; 0 is [CLS] if it was stored. A .npy file has no"
              + " axis for it.")
  Integer token;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "text (the default), hex (the stored little-endian bytes), npy (a file for numpy.load) or"
              + " bin (the stored bytes). For vectors, text and hex have a line for each: example,"
              + " layer, token and the values; npy is an array [example, layer, token, dim] without"
              + " the axes of --example, --layer and --token. For a tensor, text and hex have a"
              + " line for each row.")
  @Nullable NamedFormat asked;

  @Option(
      names = "--json",
      description =
          "Print JSON lines: an object for each vector or example, or one for the tensor.")
  boolean json;

  private Format format = Format.text;

  public CatCommand(Console console) {
    super(console);
  }

  @Override
  public Integer call() throws Exception {
    checkUse();
    NamedFormat named = Objects.requireNonNullElse(asked, NamedFormat.text);
    format = json ? Format.json : named.format;
    checkKeys();
    checkStart();
    SourceRequest request = request(path);
    OutputStream out = new BufferedOutputStream(console.bytes(), 1 << 16);
    try {
      print(request, out);
      out.flush();
    } catch (IOException e) {
      if (json) {
        out.flush(); // the object of the failure must follow the lines that are complete
      }
      throw e;
    }
    return 0;
  }

  private void print(SourceRequest request, OutputStream out)
      throws IOException, InterruptedException, ClassNotFoundException {
    if (isTensor()) {
      warnOfKeys(InputKeys.projection(), "--name and --key");
      tensor(request, out);
    } else {
      dataset(request, out);
    }
  }

  private boolean isTensor() {
    return start.name != null || start.key != null;
  }

  private void checkUse() {
    if (json && asked != null) {
      throw usageError("--json and --format exclude each other (expected one of them)");
    }
    if (start.index != null && token != null) {
      throw usageError("--token has no effect with --index (expected --tokens or --example)");
    }
    if (isTensor() && (layer != null || token != null || isTyped(InputKeys.projection()))) {
      throw usageError("a part of a tensor that --name or --key names is selected by --slice");
    }
    if (!isTensor() && slice != null) {
      throw usageError("--slice needs --name or --key (expected --layers, --tokens or --token)");
    }
    if (sampleMetadata
        && (isTensor()
            || start.index != null
            || layer != null
            || token != null
            || asked != null
            || isTyped(List.of(InputKeys.LAYERS, InputKeys.TOKENS)))) {
      throw usageError(
          "--sample-metadata prints lines of JSON for examples (expected no --format, and no"
              + " selection other than --example, --examples and --limit)");
    }
    if (layer != null && isTyped(InputKeys.LAYERS)) {
      throw usageError("--layer and --layers exclude each other (expected one of them)");
    }
    for (SettingKey<?> key : List.of(InputKeys.EXAMPLES, InputKeys.LIMIT)) {
      if (start.example != null && isTyped(key)) {
        throw usageError(
            "--example and %s exclude each other (expected one of them)"
                .formatted(key.options().get(0).name()));
      }
    }
  }

  private void checkStart() throws IOException {
    boolean selected = layer != null || token != null || isTyped(InputKeys.projection());
    for (SettingKey<?> key : InputKeys.projection()) {
      selected |= isConfigured(key);
    }
    if (!sampleMetadata
        && !selected
        && !isTensor()
        && start.example == null
        && start.index == null) {
      throw usageError(
          "no selection given (expected --example, --examples or another selection,"
              + " --index, --name, --key or --sample-metadata)");
    }
  }

  private boolean isTyped(List<SettingKey<?>> keys) {
    return keys.stream().anyMatch(this::isTyped);
  }

  private void warnOfKeys(List<SettingKey<?>> keys, String what) throws IOException {
    for (SettingKey<?> key : keys) {
      if (isConfigured(key)) {
        console.warning(key + " has no effect with " + what);
      }
    }
  }

  private void tensor(SourceRequest request, OutputStream out) throws IOException {
    boolean named = start.name != null;
    NamedTensors tensors =
        named
            ? require(request, DatasetFormat::namedTensors, "named tensors")
            : requireKeys(request);
    try (OpenTensor tensor =
        named
            ? tensors.named(
                request.location(), request.spec().format(), Objects.requireNonNull(start.name))
            : tensors.keyed(
                request.location(),
                request.spec().format(),
                Objects.requireNonNull(start.key),
                console::warning)) {
      String stored = request.format().storedName(tensor.dtype());
      new TensorCat(tensor, slice(tensor), stored, format, out).print();
    }
  }

  private TensorSlice slice(OpenTensor tensor) throws FormatException {
    try {
      return TensorSlice.parse(slice == null ? "" : slice, tensor.dtype(), tensor.shape());
    } catch (SliceException e) {
      throw DatasetError.BAD_SELECTION.in(tensor.path(), "--slice: %s", e.getMessage()).causedBy(e);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--slice: " + e.getMessage(), e);
    }
  }

  private void dataset(SourceRequest request, OutputStream out)
      throws IOException, InterruptedException, ClassNotFoundException {
    DatasetError.NO_SUCH_EXAMPLE.check(
        start.example == null || start.example >= 0,
        request.location().path(),
        "has no example %d (expected 0 or more)",
        start.example);
    SourceRequest narrowed = request.with(narrowed(request.spec().projection()));
    try (OpenedSource source = OpenedSource.open(narrowed, runner())) {
      if (sampleMetadata) {
        new SampleMetadataCat(source.dataset(), request.location().path(), json, out)
            .print(start.example);
      } else {
        vectors(VectorChoice.of(source), out);
      }
    }
  }

  private void vectors(VectorChoice selected, OutputStream out) throws IOException {
    VectorChoice choice = selected;
    if (start.index != null) {
      choice = choice.index(start.index);
    }
    if (token != null) {
      choice = choice.token(token);
    }
    boolean one = start.index != null;
    List<VectorCat.Axis> axes = new ArrayList<>();
    if (!one && start.example == null) {
      axes.add(VectorCat.Axis.EXAMPLE);
    }
    if (!one && layer == null) {
      axes.add(VectorCat.Axis.LAYER);
    }
    if (!one && token == null) {
      axes.add(VectorCat.Axis.TOKEN);
    }
    new VectorCat(choice.dataset(), axes, format, out).print();
  }

  /** Returns a projection that is narrowed by --layer and --example. */
  private ProjectionRequest narrowed(ProjectionRequest asked) throws IOException {
    LayerRequest layers = asked.layers();
    if (layer != null) {
      layers = new LayerRequest(List.of(layer));
      warnIfOverruled("--layer", InputKeys.LAYERS, !layers.equals(asked.layers()));
    }
    TokenRequest tokens = asked.tokens();
    if (sampleMetadata) {
      warnOfKeys(List.of(InputKeys.LAYERS, InputKeys.TOKENS), "--sample-metadata");
      layers = null;
      tokens = TokenRequest.ALL;
    }
    if (start.example == null) {
      return new ProjectionRequest(layers, asked.examples(), asked.limit(), tokens);
    }
    IndexPieces one = new IndexPieces(List.of(new IndexPieces.Piece(start.example, start.example)));
    warnIfOverruled("--example", InputKeys.EXAMPLES, !one.equals(asked.examples()));
    warnIfOverruled("--example", InputKeys.LIMIT, true);
    return new ProjectionRequest(layers, one, ProjectionRequest.NO_LIMIT, tokens);
  }

  private void warnIfOverruled(String option, SettingKey<?> key, boolean differs)
      throws IOException {
    if (differs && isConfigured(key)) {
      console.warning(option + " overrules " + key);
    }
  }
}
