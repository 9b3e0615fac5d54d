package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
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
  private static final int BUFFER_BYTES = 1 << 16;
  private static final long NONE = -1;

  /** Of the heap: ids are written as one document. */
  private static final double ID_MEMORY_SHARE = 0.2;

  /** A text without its characters, as an object in a list. */
  private static final int TEXT_BYTES = 64;

  private final Input in;
  private final TableFooter footer;
  private final int group;
  private final RowLayout layout;
  private final RowGroupKeys keys;

  private RowGroupStaging(
      Input in, TableFooter footer, int group, RowLayout layout, RowGroupKeys keys) {
    this.in = in;
    this.footer = footer;
    this.group = group;
    this.layout = layout;
    this.keys = keys;
  }

  static RowGroupStaging of(Input in, TableFooter footer, int group, RowLayout layout)
      throws IOException {
    return new RowGroupStaging(
        in, footer, group, layout, RowGroupKeys.read(in, footer, group, layout));
  }

  /** Returns the description of the row group that is staged. */
  StagedGroup staged(String path, String data, long offset, String ids, String samples) {
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
        hasSamples() ? samples : null);
  }

  /** Returns the arrays of the row group, in the order in which they are written. */
  private List<StagedArray> arrays() {
    Geometry geometry = layout.geometry();
    List<StagedArray> arrays = new ArrayList<>();
    arrays.add(
        new StagedArray(
            Geometry.LAYER_PREFIX + keys.layer(),
            geometry.dtype(),
            List.of((long) geometry.tokens(), (long) geometry.dim()),
            geometry.blockBytes()));
    if (layout.isFirst(keys.layer())) {
      if (layout.patches() > 0) {
        arrays.add(
            new StagedArray(
                Column.LABELS, DType.U8, List.of((long) layout.patches()), layout.patches()));
      }
      long tokens = geometry.tokens();
      for (String name : layout.tokenArrays()) {
        arrays.add(new StagedArray(name, DType.I64, List.of(tokens), tokens * Long.BYTES));
      }
    }
    return arrays;
  }

  /** Reads the arrays. */
  void read(ColumnReader.Sink sink) throws IOException {
    boolean isList = RowLayout.column(footer, RowLayout.VECTOR).lists() > 0;
    reader(RowLayout.VECTOR, isList ? new long[] {layout.geometry().dim()} : new long[0])
        .read(sink);
    if (layout.isFirst(keys.layer())) {
      if (layout.patches() > 0) {
        readLabels(sink);
      }
      for (String name : layout.tokenArrays()) {
        reader(name).read(sink);
      }
    }
  }

  private ColumnReader reader(String column, long... lengths) throws IOException {
    return new ColumnReader(in, footer, group, RowLayout.index(footer, column), lengths);
  }

  private void readLabels(ColumnReader.Sink sink) throws IOException {
    Labels labels = new Labels(layout.geometry().tokens(), layout.patches(), sink);
    reader(RowLayout.LABEL).readIntegers(NONE, labels);
    labels.end();
    ParquetError.BAD_PARQUET.check(
        labels.wrongRow < 0,
        in.path(),
        "row %d has the label %s (expected 0 to 255 for the last %d of %d tokens)",
        footer.rowsBefore(group) + labels.wrongRow,
        labels.wrong < 0 ? "null" : String.valueOf(labels.wrong),
        layout.patches(),
        layout.geometry().tokens());
  }

  /** The labels of patches, which the tokens before them lack. */
  private static final class Labels implements LongConsumer {
    private final int tokens;
    private final int patches;
    private final ColumnReader.Sink sink;
    private final ByteBuffer some = ByteBuffer.allocate(BUFFER_BYTES);
    private long row;
    private long wrongRow = -1;
    private long wrong;
    private @Nullable IOException failure;

    Labels(int tokens, int patches, ColumnReader.Sink sink) {
      this.tokens = tokens;
      this.patches = patches;
      this.sink = sink;
    }

    @Override
    public void accept(long label) {
      boolean isPatch = row % tokens >= tokens - patches;
      boolean isLabel = label >= 0 && label <= 0xff;
      if (wrongRow < 0 && (isPatch ? !isLabel : label != NONE)) {
        wrongRow = row;
        wrong = label;
      }
      row++;
      if (isPatch) {
        some.put((byte) label);
        if (!some.hasRemaining()) {
          flush();
        }
      }
    }

    private void flush() {
      try {
        sink.accept(some.flip());
      } catch (IOException e) {
        failure = failure == null ? e : failure;
      }
      some.clear();
    }

    void end() throws IOException {
      flush();
      if (failure != null) {
        throw failure;
      }
    }
  }

  /** Returns whether the row group has the ids of its examples. */
  boolean hasIds() {
    return layout.isFirst(keys.layer()) && layout.hasIds();
  }

  /** Reads the ids of the examples; empty if the row group has none. */
  List<String> ids() throws IOException {
    List<String> ids = new ArrayList<>();
    if (hasIds()) {
      boolean[] isNull = {false};
      MemoryAccount memory =
          new MemoryAccount(
              (long) (Runtime.getRuntime().maxMemory() * ID_MEMORY_SHARE),
              "the ids of a row group");
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
          !isNull[0], in.path(), "row group %d has a null as id (expected a text)", group);
    }
    return ids;
  }

  /** Reads the texts of the examples, which all rows of an example must have in common. */
  private void readTexts(String column, Consumer<@Nullable String> sink) throws IOException {
    Texts texts = new Texts(layout.geometry().tokens(), sink);
    reader(column).readTexts(texts);
    ParquetError.BAD_PARQUET.check(
        texts.wrongRow < 0,
        in.path(),
        "row %d has another %s than the first token of its example (expected the same)",
        footer.rowsBefore(group) + texts.wrongRow,
        column);
  }

  /** Returns whether the row group has the sample metadata of its examples. */
  boolean hasSamples() {
    return layout.isFirst(keys.layer()) && RowLayout.has(footer, RowLayout.SAMPLE);
  }

  /**
   * Writes the sample metadata of the examples, whose texts wait on the local disk.
   *
   * @param file the name that the sidecar has, with another extension
   */
  void writeSamples(Folder target, String file, Path localFolder) throws IOException {
    try (SpooledTexts texts = new SpooledTexts(localFolder);
        SidecarWriter writer = new SidecarWriter(target, file, keys.first(), keys.examples())) {
      readTexts(RowLayout.SAMPLE, unchecked(texts::add));
      texts.end();
      readPositions(texts::next, writer::write);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Reads the sample metadata of the examples, if the row group has any, and keeps nothing. */
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
    BitSet wholes = new BitSet();
    if (RowLayout.has(footer, RowLayout.WHOLE)) {
      int[] row = {0};
      reader(RowLayout.WHOLE).readIntegers(0, whole -> wholes.set(row[0]++, whole == 1));
    }
    Positions positions =
        new Positions(texts, wholes, keys.first(), layout.geometry().tokens(), sink);
    reader(RowLayout.POSITION).readIntegers(NONE, positions);
  }

  /** Accepts texts, and may fail to store them. */
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

  /** The texts of the examples, in their order; null for none. */
  @FunctionalInterface
  private interface TextSource {
    @Nullable String next() throws IOException;
  }

  /** Accepts the metadata of the next example. */
  @FunctionalInterface
  private interface ExampleSink {
    void accept(ExampleMetadata example) throws IOException;
  }

  /** Passes on the first text of each example, and compares the others with it. */
  private static final class Texts implements Consumer<@Nullable String> {
    private final int tokens;
    private final Consumer<@Nullable String> sink;
    private @Nullable String first;
    private long row;
    private long wrongRow = -1;

    Texts(int tokens, Consumer<@Nullable String> sink) {
      this.tokens = tokens;
      this.sink = sink;
    }

    @Override
    public void accept(@Nullable String text) {
      if (row % tokens == 0) {
        first = text;
        sink.accept(text);
      } else if (wrongRow < 0 && !Objects.equals(text, first)) {
        wrongRow = row;
      }
      row++;
    }
  }

  /** The positions of the tokens in their samples, and the examples that follow from them. */
  private static final class Positions implements LongConsumer {
    private final TextSource texts;
    private final BitSet wholes;
    private final long first;
    private final long[] positions;
    private final ExampleSink sink;
    private long row;

    /**
     * Creates positions.
     *
     * @param wholes the rows of examples that are whole samples although they have one token
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

    /** Returns the tokens that the example has of its sample; empty for all. */
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
