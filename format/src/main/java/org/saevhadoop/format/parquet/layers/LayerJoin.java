package org.saevhadoop.format.parquet.layers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.layers.JoinedLayers.Piece;
import org.saevhadoop.format.parquet.layers.LayerRows.Cursor;

/** Merges staged row groups, and checks that each example, layer and token occurs once. */
public final class LayerJoin {
  /** A piece takes about 200 bytes of memory. */
  private static final int MAX_PIECES = 1 << 17;

  private final Folder source;
  private final LayerShape shape;
  private final boolean isNumbered;
  private final List<LayerRows> layers = new ArrayList<>();
  private final List<Pieces> pieces = new ArrayList<>();

  /** The tokens of each example. */
  private final long[] tokens;

  private long example = -1;
  private long token = -1;
  private long rows;
  private int pieceCount;

  private LayerJoin(
      Folder staged, Folder source, LayerShape shape, List<LayerRun> runs, boolean isNumbered) {
    this.source = source;
    this.shape = shape;
    this.isNumbered = isNumbered;
    this.tokens = new long[shape.geometry().tokens() / shape.rowTokens()];
    List<Integer> numbers = shape.geometry().layers();
    for (int layer : numbers) {
      List<LayerRun> own = runs.stream().filter(run -> run.layer() == layer).toList();
      layers.add(new LayerRows(staged, own, shape.integers(), isNumbered, numbers.size()));
      pieces.add(new Pieces());
    }
  }

  /**
   * Merges the row groups, which must all be staged, and writes the result to their folder.
   *
   * @param file the path of the first file of the dataset
   * @param runs the rows of all row groups, in the order of the files
   * @param isNumbered whether rows contain the numbers of their examples
   * @throws FormatException if an example, layer and token is missing or occurs twice, or if layers
   *     differ in data that must be the same
   */
  public static void write(
      Folder staged,
      Folder source,
      String file,
      LayerShape shape,
      List<LayerRun> runs,
      boolean isNumbered,
      LayerAgreement agreement)
      throws IOException {
    LayerJoin join = new LayerJoin(staged, source, shape, runs, isNumbered);
    LayerComparison comparison = new LayerComparison(source, shape, agreement);
    try (TravellingNumbers numbers = new TravellingNumbers(staged, shape)) {
      join.merge(numbers, comparison);
    }
    List<List<Piece>> joined = join.pieces.stream().map(Pieces::end).toList();
    JoinedLayers.of(file, shape, comparison, joined).write(staged);
  }

  private void merge(TravellingNumbers numbers, LayerComparison comparison) throws IOException {
    long all = shape.geometry().examples() * tokens.length;
    while (rows < all) {
      Cursor first = next(0);
      compare(first);
      pieces.get(0).add(first);
      int index = (int) (rows % tokens.length);
      numbers.write(first, index);
      for (int layer = 1; layer < layers.size(); layer++) {
        Cursor other = next(layer);
        compare(first, other);
        comparison.compare(first, other, index);
        pieces.get(layer).add(other);
      }
      example = first.example();
      token = first.token();
      rows++;
    }
  }

  private Cursor next(int layer) throws IOException {
    Cursor next = layers.get(layer).next();
    if (next == null) {
      throw ParquetError.UNORDERED_ROWS.in(
          source.path(),
          "has %d rows of layer %d (expected %d, as before)",
          rows,
          shape.geometry().layers().get(layer),
          shape.geometry().examples() * tokens.length);
    }
    if (isNumbered && next.example() == example && next.token() == token) {
      throw problem(next, "like another row (expected each example, layer and token once)");
    }
    return next;
  }

  /** Checks that the examples of the first layer have the same tokens in the same order. */
  private void compare(Cursor row) throws IOException {
    if (!isNumbered) {
      return;
    }
    int index = (int) (rows % tokens.length);
    if (rows < tokens.length) {
      tokens[index] = row.token();
    }
    boolean isNext = index == 0 ? row.example() != example : row.example() == example;
    if (!isNext || row.token() != tokens[index]) {
      throw problem(
          row,
          Quote.sentence(
              "(expected token %d of %s: the same %d tokens in all examples)",
              tokens[index],
              index == 0 ? "the next example" : "example " + example,
              tokens.length));
    }
  }

  /** Compares a row of another layer with the same row of the first one. */
  private void compare(Cursor first, Cursor row) throws IOException {
    if (isNumbered && (row.example() != first.example() || row.token() != first.token())) {
      boolean isBehind =
          row.example() > first.example()
              || row.example() == first.example() && row.token() > first.token();
      Cursor alone = isBehind ? first : row;
      int layer = (isBehind ? row : first).run().layer();
      throw problem(
          alone, "(expected a row with this example and token in layer " + layer + ", too)");
    }
  }

  private FormatException problem(Cursor row, String expected) throws IOException {
    try (Input in = ArrayFiles.open(source, row.run().path())) {
      return ParquetError.UNORDERED_ROWS.in(
          in.path(),
          "row %d has example %d, layer %d and token %d %s",
          row.row(),
          row.example(),
          row.run().layer(),
          row.token(),
          expected);
    }
  }

  /** The vectors of a layer. */
  private final class Pieces {
    private final List<Piece> list = new ArrayList<>();
    private @Nullable LayerRun run;
    private long begin;
    private long end;

    void add(Cursor row) throws FormatException {
      if (row.run() != run || row.index() != end) {
        flush();
        run = row.run();
        begin = row.index();
        pieceCount++;
        ParquetError.LIMIT_EXCEEDED.check(
            pieceCount <= MAX_PIECES,
            source.path(),
            "has the rows of a layer in more than %d pieces (expected sorted rows: in Spark,"
                + " orderBy(\"layer\", \"example\", \"token\"))",
            MAX_PIECES);
      }
      end = row.index() + 1;
    }

    private void flush() {
      if (run != null) {
        long bytes = shape.geometry().vectorBytes() * (long) shape.rowTokens();
        list.add(
            new Piece(run.vectors(), run.vectorOffset() + begin * bytes, (end - begin) * bytes));
      }
    }

    List<Piece> end() {
      flush();
      return list;
    }
  }
}
