package org.saevhadoop.converters;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.BlockCursor;
import org.saevhadoop.format.reader.Selection;
import org.saevhadoop.format.reader.Tokens;
import org.saevhadoop.format.reader.View;
import org.saevhadoop.format.saev.SaevMetadata;
import org.saevhadoop.format.safetensors.KeyedTensor;
import org.saevhadoop.format.safetensors.TensorSlice;
import org.saevhadoop.format.tensor.DType;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Prints the vectors of an example. */
@Command(
    name = "cat",
    sortOptions = false,
    description =
        "Prints the vectors of one example of the dataset at PATH, or one vector or tensor.")
final class CatCommand implements Callable<Integer> {
  /** How vectors are printed. */
  enum Format {
    text,
    json,
    hex,
    npy,
    bin
  }

  /** What a slice that a tensor does not have is called; other text is none. */
  private static final Pattern KIND = Pattern.compile("\\w+: ");

  @ParentCommand Main main;

  @Spec CommandSpec spec;

  @Parameters(paramLabel = "PATH", description = "The dataset.")
  String path;

  @ArgGroup(multiplicity = "0..1")
  Start start = new Start();

  /** Where to begin. */
  static final class Start {
    @Option(names = "--example", paramLabel = "N", description = "All vectors of an example.")
    Long example;

    @Option(
        names = "--index",
        paramLabel = "I",
        description =
            "One vector: the one at this index of the view, the list of all vectors by example,"
                + " layer and token, of --layer and --tokens where these are given.")
    Long index;

    @Option(
        names = "--name",
        paramLabel = "NAME",
        description =
            "One tensor of a safetensors file, or of a folder with model.safetensors.index.json.")
    String name;

    @Option(
        names = "--key",
        paramLabel = "KEY",
        description =
            "One tensor of a dataset in the kv layout, through its index where it has one.")
    String key;
  }

  @Option(
      names = "--attributes",
      description =
          "Instead of vectors what else is known of the examples, of all or of --example: a line of"
              + " JSON each.")
  boolean attributes;

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
      description = "One layer, as the model counts it (default: all).")
  Integer layer;

  @Option(
      names = "--tokens",
      defaultValue = "all",
      paramLabel = "T",
      description = "cls (or special), image (or content) or all (the default).")
  String tokens;

  @Option(
      names = "--token",
      paramLabel = "T",
      description = "One token; 0 is [CLS] where there is one (default: those of --tokens).")
  Integer token;

  @Option(
      names = "--format",
      defaultValue = "text",
      description =
          "text (the default), json, hex (the stored little-endian bytes), npy (a file for"
              + " numpy.load) or bin (the stored bytes). Of an example, text, json and hex are a line"
              + " a vector: example layer token and the numbers; of a tensor, text and hex are a"
              + " line a row.")
  Format format;

  @Mixin SourceOptions sourceOptions;

  @Override
  public Integer call() throws Exception {
    checkStart();
    if (start.index != null && token != null) {
      throw new ParameterException(
          spec.commandLine(), "--token means nothing to --index (expected --tokens or --example)");
    }
    boolean tensor = start.name != null || start.key != null;
    if (tensor && (layer != null || token != null) || !tensor && slice != null) {
      throw new ParameterException(
          spec.commandLine(),
          tensor
              ? "--layer and --token mean nothing to --name and --key (expected --slice)"
              : "--slice needs --name or --key (expected --layer, --tokens or --token)");
    }
    Configuration conf = new Configuration(main.getConf());
    sourceOptions.apply(spec.commandLine(), conf);
    Path at = new Path(path);
    OutputStream out = new BufferedOutputStream(System.out, 1 << 16);
    if (tensor) {
      tensor(new TensorSource(at, conf), out);
    } else {
      JobRun.prepareLocal(conf);
      try (Source source = Source.open(at, null, conf)) {
        if (attributes) {
          new AttributeCat(source.dataset(), out).print(start.example);
        } else {
          vectors(DatasetFormat.activations(source.dataset(), conf), out);
        }
      }
    }
    out.flush();
    return 0;
  }

  private void checkStart() {
    boolean other = start.index != null || start.name != null || start.key != null;
    if (!attributes && start.example == null && !other) {
      throw new ParameterException(
          spec.commandLine(),
          "nothing says what to print (expected --example, --index, --name, --key or"
              + " --attributes)");
    }
    if (attributes && (other || layer != null || token != null || slice != null)) {
      throw new ParameterException(
          spec.commandLine(), "--attributes goes with --example only, or alone");
    }
  }

  private void tensor(TensorSource source, OutputStream out) throws IOException {
    try (KeyedTensor tensor =
        start.name != null ? source.named(start.name) : source.keyed(start.key)) {
      TensorSlice part;
      try {
        part = TensorSlice.parse(slice == null ? "" : slice, tensor.tensor());
      } catch (IllegalArgumentException e) {
        if (KIND.matcher(e.getMessage()).lookingAt()) {
          throw FormatException.of(tensor.path(), "--slice: %s", e.getMessage());
        }
        throw new ParameterException(spec.commandLine(), "--slice: " + e.getMessage(), e);
      }
      new TensorCat(tensor, part, format, out).print();
    }
  }

  private void vectors(ActivationDataset dataset, OutputStream out) throws IOException {
    Tokens wanted = TokensOption.parse(spec, tokens);
    int cls = wanted == Tokens.ALL ? 0 : SaevMetadata.clsTokens(dataset, "--tokens all");
    View view = View.of(dataset, cls, wanted, layer);
    if (start.index != null) {
      seek(view, dataset);
    }
    Selection selection = selection(dataset, view);
    String where = dataset.folder().path();
    DType dtype = dataset.geometry().dtype();
    boolean numbers = format == Format.text || format == Format.json;
    NumberText text = numbers ? new NumberText(where, dtype, format == Format.json) : null;
    try (BlockCursor cursor = new BlockCursor(dataset, selection, start.example, 1)) {
      if (format == Format.npy) {
        out.write(Npy.header(where, dtype, shape(dataset.geometry(), selection)));
      }
      while (cursor.next()) {
        int number = dataset.geometry().layers().get(cursor.layerIndex());
        out.write(vector(number, cursor.token(), cursor.bytes(), text));
      }
    }
  }

  /** Turns the index into the coordinates of its vector. */
  private void seek(View view, ActivationDataset dataset) throws FormatException {
    FormatException.check(
        start.index >= 0 && start.index < view.length(),
        dataset.folder().path(),
        "there is no vector %d in this view (expected 0 to %d)",
        start.index,
        view.length() - 1);
    View.Position position = view.position(start.index);
    start.example = position.example();
    layer = dataset.geometry().layers().get(position.layerIndex());
    token = position.token();
  }

  private Selection selection(ActivationDataset dataset, View view) throws FormatException {
    Geometry geometry = dataset.geometry();
    String where = dataset.folder().path();
    FormatException.check(
        start.example >= 0 && start.example < geometry.examples(),
        where,
        "there is no example %d (expected 0 to %d)",
        start.example,
        geometry.examples() - 1);
    int first = view.firstToken();
    int end = first + view.tokens();
    FormatException.check(
        token == null || token >= first && token < end,
        where,
        "there is no token %d (expected %d to %d)",
        token,
        first,
        end - 1);
    BlockOrder order =
        layer == null
            ? BlockOrder.byExample(geometry)
            : new BlockOrder(false, List.of(geometry.layerIndex(layer)));
    return new Selection(
        order,
        token == null ? first : token,
        token == null ? view.tokens() : 1,
        Long.MAX_VALUE,
        Selection.Unit.VECTOR);
  }

  private byte[] vector(int layerNumber, int tokenIndex, ByteBuffer bytes, NumberText text) {
    String place = start.example + " " + layerNumber + " " + tokenIndex;
    String line =
        switch (format) {
          case hex -> place + " " + HexFormat.of().formatHex(bytes(bytes)) + "\n";
          case text -> place + " " + text.join(bytes, " ") + "\n";
          case json ->
              "{\"example\":%d,\"layer\":%d,\"token\":%d,\"values\":[%s]}\n"
                  .formatted(start.example, layerNumber, tokenIndex, text.join(bytes, ","));
          case npy, bin -> null;
        };
    return line == null ? bytes(bytes) : line.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  /** The axes of which one element was asked for are left out. */
  private List<Long> shape(Geometry geometry, Selection selection) {
    List<Long> shape = new ArrayList<>();
    if (layer == null) {
      shape.add((long) geometry.layers().size());
    }
    if (token == null) {
      shape.add((long) selection.tokens());
    }
    shape.add((long) geometry.dim());
    return shape;
  }
}
