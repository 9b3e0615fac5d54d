package org.saevhadoop.converters;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
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
    description = "Prints the vectors of one example of the dataset at PATH, or one vector.")
final class CatCommand implements Callable<Integer> {
  /** How vectors are printed. */
  enum Format {
    text,
    json,
    hex,
    npy
  }

  @ParentCommand Main main;

  @Spec CommandSpec spec;

  @Parameters(paramLabel = "PATH", description = "The dataset.")
  String path;

  @ArgGroup(multiplicity = "1")
  Start start;

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
  }

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
          "text (the default), json (a line a vector), hex (a line a vector: example layer token and"
              + " the little-endian float32 bytes) or npy (a file for numpy.load).")
  Format format;

  @Override
  public Integer call() throws IOException {
    if (start.index != null && token != null) {
      throw new ParameterException(
          spec.commandLine(), "--token means nothing to --index (expected --tokens or --example)");
    }
    Path at = new Path(path);
    ActivationDataset dataset = DatasetFormat.of(at, null, main.getConf()).open(at, main.getConf());
    Tokens wanted = TokensOption.parse(spec, tokens);
    int cls = wanted == Tokens.ALL ? 0 : SaevMetadata.clsTokens(dataset, "--tokens all");
    View view = View.of(dataset, cls, wanted, layer);
    if (start.index != null) {
      seek(view, dataset);
    }
    Selection selection = selection(dataset, view);
    OutputStream out = new BufferedOutputStream(System.out, 1 << 16);
    try (BlockCursor cursor = new BlockCursor(dataset, selection, start.example, 1)) {
      if (format == Format.npy) {
        out.write(npyHeader(dataset.geometry(), selection));
      }
      while (cursor.next()) {
        int number = dataset.geometry().layers().get(cursor.layerIndex());
        out.write(vector(number, cursor.token(), cursor.bytes()));
      }
    }
    out.flush();
    return 0;
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

  private byte[] vector(int layerNumber, int tokenIndex, ByteBuffer floats) {
    String place = start.example + " " + layerNumber + " " + tokenIndex;
    String line =
        switch (format) {
          case hex -> place + " " + HexFormat.of().formatHex(bytes(floats)) + "\n";
          case text -> place + " " + numbers(floats, " ", false) + "\n";
          case json ->
              "{\"example\":%d,\"layer\":%d,\"token\":%d,\"values\":[%s]}\n"
                  .formatted(start.example, layerNumber, tokenIndex, numbers(floats, ",", true));
          case npy -> null;
        };
    return line == null ? bytes(floats) : line.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(ByteBuffer floats) {
    byte[] bytes = new byte[floats.remaining()];
    floats.get(bytes);
    return bytes;
  }

  /** NaN and the infinities are no JSON numbers: they stand as strings there. */
  private static String numbers(ByteBuffer floats, String separator, boolean quoted) {
    List<String> numbers = new ArrayList<>();
    while (floats.hasRemaining()) {
      float value = floats.getFloat();
      String text = Float.toString(value);
      numbers.add(quoted && !Float.isFinite(value) ? '"' + text + '"' : text);
    }
    return String.join(separator, numbers);
  }

  /** Version 1.0 of numpy's format; the axes of which one element was asked for are left out. */
  private byte[] npyHeader(Geometry geometry, Selection selection) {
    List<Integer> shape = new ArrayList<>();
    if (layer == null) {
      shape.add(geometry.layers().size());
    }
    if (token == null) {
      shape.add(selection.tokens());
    }
    shape.add(geometry.dim());
    String axes = shape.stream().map(String::valueOf).collect(Collectors.joining(", "));
    String dict =
        String.format(
            Locale.ROOT,
            "{'descr': '<f4', 'fortran_order': False, 'shape': (%s%s), }",
            axes,
            shape.size() == 1 ? "," : "");
    int prefix = 10;
    int length = (prefix + dict.length() + 1 + 63) / 64 * 64 - prefix;
    ByteBuffer header = ByteBuffer.allocate(prefix + length);
    header.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    header.put((byte) 1).put((byte) 0).put((byte) length).put((byte) (length >> 8));
    header.put(dict.getBytes(StandardCharsets.US_ASCII));
    while (header.remaining() > 1) {
      header.put((byte) ' ');
    }
    return header.put((byte) '\n').array();
  }
}
