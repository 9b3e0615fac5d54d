package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.StagedGroup.StagedArray;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.table.ColumnReader;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SidecarWriter;
import org.saevhadoop.format.samples.TokenRange;
import org.saevhadoop.format.tensor.DType;

/** Reads a row group in the {@link RowLayout} as columns of examples. */
final class RowGroupStaging {
  private static final long NONE = StagedLabels.NONE;

  /** The share of the heap for the ids of a row group, and for the positions of an example. */
  private static final double MEMORY_SHARE = 0.2;

  /** Memory of a string in a list, excluding its characters. */
  private static final int TEXT_BYTES = 64;

  private final Input in;
  private final TableFooter footer;
  private final int group;
  private final RowLayout layout;
  private final List<Integer> layers;
  private final RowGroupKeys keys;

  /**
   * Reads the content of a row group.
   *
   * @param layers the layers whose vectors are read
   */
  RowGroupStaging(Input in, TableFooter footer, int group, RowLayout layout, List<Integer> layers)
      throws IOException {
    this.in = in;
    this.footer = footer;
    this.group = group;
    this.layout = layout;
    this.layers = layers;
    this.keys = RowGroupKeys.read(in, footer, group, layout);
  }

  /**
   * Returns the description of the staged row group.
   *
   * @param samples the name of the sidecar, but with another extension; null for none
   */
  StagedGroup staged(String path, String data, long offset, String ids, @Nullable String samples) {
    return new StagedGroup(
        path,
        group,
        keys.examples(),
        data,
        offset,
        arrays(),
        List.of(),
        null,
        keys,
        hasIds() ? ids : null,
        samples);
  }

  /** Returns the arrays of the row group, in the order in which they are written. */
  private List<StagedArray> arrays() {
    Geometry geometry = layout.geometry();
    long tokens = geometry.tokens();
    List<StagedArray> arrays = new ArrayList<>();
    for (int layer : keys.layers()) {
      if (layers.contains(layer)) {
        arrays.add(
            new StagedArray(
                Geometry.LAYER_PREFIX + layer,
                geometry.dtype(),
                List.of(tokens, (long) geometry.dim()),
                geometry.blockBytes()));
      }
      if (layout.isFirst(layer)) {
        if (layout.patches() > 0) {
          arrays.add(
              new StagedArray(
                  Column.LABELS, DType.U8, List.of((long) layout.patches()), layout.patches()));
        }
        for (String name : layout.tokenArrays()) {
          arrays.add(new StagedArray(name, DType.I64, List.of(tokens), tokens * Long.BYTES));
        }
      }
    }
    return arrays;
  }

  void read(ColumnReader.Sink sink) throws IOException {
    for (int layer : keys.layers()) {
      if (layers.contains(layer)) {
        String vectors = layout.vectors(layer);
        boolean isList = layout.isList(RowLayout.column(footer, vectors));
        reader(vectors, isList ? layout.lengths(layout.geometry().dim()) : layout.lengths())
            .read(sink);
      }
      if (layout.isFirst(layer)) {
        if (layout.patches() > 0) {
          readLabels(sink);
        }
        for (String name : layout.tokenArrays()) {
          reader(name, layout.lengths()).read(sink);
        }
      }
    }
  }

  private ColumnReader reader(String column, long... lengths) throws IOException {
    int index = RowLayout.index(footer, column);
    int lists = footer.columns().get(index).lists();
    ParquetError.BAD_PARQUET.check(
        lists == lengths.length,
        in.path(),
        "column %s has lists nested %d deep (expected %d)",
        column,
        lists,
        lengths.length);
    return new ColumnReader(in, footer, group, index, lengths);
  }

  /** Reads a token array, with {@link #NONE} for tokens without an integer. */
  private void readIntegers(String column, LongConsumer sink) throws IOException {
    ColumnReader reader = reader(column, layout.lengths());
    if (layout.unit() == RowUnit.VECTOR) {
      reader.readIntegers(NONE, sink);
    } else {
      reader.readListedIntegers(sink);
    }
  }

  private void readLabels(ColumnReader.Sink sink) throws IOException {
    int tokens = layout.geometry().tokens();
    StagedLabels labels = new StagedLabels(tokens, layout.patches(), sink);
    readIntegers(RowLayout.LABEL, labels);
    long wrong = labels.end();
    ParquetError.BAD_PARQUET.check(
        wrong < 0,
        in.path(),
        "row %d has the label %s (expected 0 to 255 for the last %d of %d tokens)",
        footer.rowsBefore(group) + wrong * layout.exampleRows() / tokens,
        labels.wrong() < 0 ? "null" : String.valueOf(labels.wrong()),
        layout.patches(),
        tokens);
  }

  /** Returns whether the row group has the ids of its examples. */
  boolean hasIds() {
    return layout.isFirst(keys.layers().get(0)) && layout.hasIds();
  }

  /** Reads the ids of the examples; empty if the row group has none. */
  List<String> ids() throws IOException {
    List<String> ids = new ArrayList<>();
    if (hasIds()) {
      boolean[] isNull = {false};
      MemoryAccount memory =
          new MemoryAccount(
              (long) (Runtime.getRuntime().maxMemory() * MEMORY_SHARE), "the ids of a row group");
      readTexts(
          RowLayout.ID,
          id -> {
            isNull[0] |= id == null;
            if (id != null) {
              memory.take(TEXT_BYTES + (long) Character.BYTES * id.length());
              ids.add(id);
            }
          });
      ParquetError.MISSING_VALUE.check(
          !isNull[0], in.path(), "row group %d has a null id (expected a text)", group);
    }
    return ids;
  }

  /** Reads the strings of the examples; all rows of an example must have the same string. */
  private void readTexts(String column, Consumer<@Nullable String> sink) throws IOException {
    Texts texts = new Texts(layout.exampleRows(), sink);
    reader(column).readTexts(texts);
    ParquetError.BAD_PARQUET.check(
        texts.wrongRow < 0,
        in.path(),
        "row %d differs from the first token of its example in %s (expected the same)",
        footer.rowsBefore(group) + texts.wrongRow,
        column);
  }

  /** Returns whether the row group has the sample metadata of its examples. */
  private boolean hasSamples() {
    return layout.isFirst(keys.layers().get(0)) && RowLayout.has(footer, RowLayout.SAMPLE);
  }

  /**
   * Writes the sample metadata of the examples; the strings are buffered on the local disk.
   *
   * @param file the name of the sidecar, but with another extension
   * @return whether there is a sidecar
   */
  boolean writeSamples(Folder target, String file, Path localFolder) throws IOException {
    if (!hasSamples()) {
      return false;
    }
    try (SpooledTexts texts = new SpooledTexts(localFolder);
        SidecarWriter writer = new SidecarWriter(target, file, keys.first(), keys.examples())) {
      readTexts(RowLayout.SAMPLE, unchecked(texts::add));
      texts.end();
      readPositions(texts::next, writer::write);
      return !writer.isEmpty();
    }
  }

  /** Checks the sample metadata of the examples, if the row group has any. */
  void checkSamples() throws IOException {
    if (!hasSamples()) {
      return;
    }
    BitSet present = new BitSet();
    int[] index = {0};
    readTexts(RowLayout.SAMPLE, text -> present.set(index[0]++, text != null));
    index[0] = 0;
    readPositions(() -> present.get(index[0]++) ? "{}" : null, example -> {});
  }

  private void readPositions(TextSource texts, ExampleSink sink) throws IOException {
    int tokens = layout.geometry().tokens();
    ParquetError.LIMIT_EXCEEDED.check(
        (long) tokens * Long.BYTES <= Runtime.getRuntime().maxMemory() * MEMORY_SHARE,
        in.path(),
        "has examples of %d tokens (expected fewer, because their positions are kept in memory)",
        tokens);
    BitSet wholes = new BitSet();
    if (RowLayout.has(footer, RowLayout.WHOLE)) {
      int[] row = {0};
      reader(RowLayout.WHOLE).readIntegers(0, whole -> wholes.set(row[0]++, whole == 1));
    }
    Positions positions = new Positions(texts, wholes, keys.first(), tokens, sink);
    readIntegers(RowLayout.POSITION, positions);
  }

  /** A receiver that may fail to store a string. */
  @FunctionalInterface
  private interface TextSink {
    void accept(@Nullable String text) throws IOException;
  }

  private static Consumer<@Nullable String> unchecked(TextSink sink) {
    return text -> {
      try {
        sink.accept(text);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** The strings of the examples, in order; null for none. */
  @FunctionalInterface
  private interface TextSource {
    @Nullable String next() throws IOException;
  }

  /** Receiver of the metadata of the next example. */
  @FunctionalInterface
  private interface ExampleSink {
    void accept(ExampleMetadata example) throws IOException;
  }

  /** Passes on the first string of each example, and compares the other strings with it. */
  private static final class Texts implements Consumer<@Nullable String> {
    private final int exampleRows;
    private final Consumer<@Nullable String> sink;
    private @Nullable String first;
    private long row;
    private long wrongRow = -1;

    Texts(int exampleRows, Consumer<@Nullable String> sink) {
      this.exampleRows = exampleRows;
      this.sink = sink;
    }

    @Override
    public void accept(@Nullable String text) {
      if (row % exampleRows == 0) {
        first = text;
        sink.accept(text);
      } else if (wrongRow < 0 && !Objects.equals(text, first)) {
        wrongRow = row;
      }
      row++;
    }
  }

  /** Collects the positions of tokens in their samples, and derives the examples from them. */
  private static final class Positions implements LongConsumer {
    private final TextSource texts;
    private final BitSet wholes;
    private final long first;
    private final long[] positions;
    private final ExampleSink sink;
    private long row;

    /**
     * Creates a collector.
     *
     * @param wholes the rows of examples that are whole samples although they have only one token
     */
    Positions(TextSource texts, BitSet wholes, long first, int tokens, ExampleSink sink) {
      this.texts = texts;
      this.wholes = wholes;
      this.first = first;
      this.positions = new long[tokens];
      this.sink = sink;
    }

    @Override
    public void accept(long position) {
      int token = (int) (row % positions.length);
      positions[token] = position;
      int index = (int) (row / positions.length);
      row++;
      if (token + 1 < positions.length) {
        return;
      }
      try {
        String text = texts.next();
        if (text != null) {
          sink.accept(metadata(index, text));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private ExampleMetadata metadata(int index, String text) {
      long example = first + index;
      return positions.length == 1 && positions[0] >= 0 && !wholes.get(index)
          ? new ExampleMetadata(example, 1, positions[0], text)
          : new ExampleMetadata(example, 1, ExampleMetadata.WHOLE, ranges(), text);
    }

    /**
     * Returns the ranges of the sample's tokens that the example contains; empty if the example
     * contains all of them.
     */
    private List<TokenRange> ranges() {
      List<TokenRange> ranges = new ArrayList<>();
      for (int start = 0, i = 1; i <= positions.length && positions[0] != NONE; i++) {
        if (i == positions.length || positions[i] != positions[i - 1] + 1) {
          ranges.add(
              new TokenRange(
                  Math.toIntExact(positions[start]), Math.toIntExact(positions[i - 1] + 1)));
          start = i;
        }
      }
      return ranges;
    }
  }
}
