package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
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
      for (String id : texts(RowLayout.ID)) {
        ParquetError.MISSING_VALUE.check(
            id != null, in.path(), "row group %d has a null as id (expected a text)", group);
        ids.add(Objects.requireNonNull(id));
      }
    }
    return ids;
  }

  /** Reads the texts of the examples, which all rows of an example must have in common. */
  private List<@Nullable String> texts(String column) throws IOException {
    Texts texts = new Texts(layout.geometry().tokens());
    reader(column).readTexts(texts);
    ParquetError.BAD_PARQUET.check(
        texts.wrongRow < 0,
        in.path(),
        "row %d has another %s than the first token of its example (expected the same)",
        footer.rowsBefore(group) + texts.wrongRow,
        column);
    return texts.found;
  }

  /** Returns whether the row group has the sample metadata of its examples. */
  boolean hasSamples() {
    return layout.isFirst(keys.layer()) && RowLayout.has(footer, RowLayout.SAMPLE);
  }

  /**
   * Writes the sample metadata of the examples.
   *
   * @param file the name that the sidecar has, with another extension
   */
  void writeSamples(Folder target, String file) throws IOException {
    try (SidecarWriter writer = new SidecarWriter(target, file, keys.first(), keys.examples())) {
      for (ExampleMetadata example : samples()) {
        writer.write(example);
      }
    }
  }

  /** Reads the sample metadata of the examples; empty if the row group has none. */
  List<ExampleMetadata> samples() throws IOException {
    if (!hasSamples()) {
      return List.of();
    }
    int tokens = layout.geometry().tokens();
    List<@Nullable String> texts = texts(RowLayout.SAMPLE);
    BitSet wholes = new BitSet();
    if (RowLayout.has(footer, RowLayout.WHOLE)) {
      int[] row = {0};
      reader(RowLayout.WHOLE).readIntegers(0, whole -> wholes.set(row[0]++, whole == 1));
    }
    Positions positions = new Positions(texts, wholes, keys.first(), tokens);
    reader(RowLayout.POSITION).readIntegers(NONE, positions);
    return positions.found;
  }

  /** The texts of the examples; equal ones of a dictionary are one object. */
  private static final class Texts implements Consumer<@Nullable String> {
    private final int tokens;
    private final List<@Nullable String> found = new ArrayList<>();
    private long row;
    private long wrongRow = -1;

    Texts(int tokens) {
      this.tokens = tokens;
    }

    @Override
    public void accept(@Nullable String text) {
      if (row % tokens == 0) {
        found.add(text);
      } else if (wrongRow < 0 && !Objects.equals(text, found.get(found.size() - 1))) {
        wrongRow = row;
      }
      row++;
    }
  }

  /** The positions of the tokens in their samples, and what they show of the examples. */
  private static final class Positions implements LongConsumer {
    private final List<@Nullable String> texts;
    private final BitSet wholes;
    private final long first;
    private final long[] positions;
    private final List<ExampleMetadata> found = new ArrayList<>();
    private long row;

    /**
     * Creates positions.
     *
     * @param wholes the rows of examples that are whole samples although they have one token
     */
    Positions(List<@Nullable String> texts, BitSet wholes, long first, int tokens) {
      this.texts = texts;
      this.wholes = wholes;
      this.first = first;
      this.positions = new long[tokens];
    }

    @Override
    public void accept(long position) {
      int token = (int) (row % positions.length);
      positions[token] = position;
      int index = (int) (row / positions.length);
      row++;
      String text = texts.get(index);
      if (token + 1 < positions.length || text == null) {
        return;
      }
      long example = first + index;
      if (positions.length == 1 && position >= 0 && !wholes.get(index)) {
        found.add(new ExampleMetadata(example, 1, position, text));
      } else {
        found.add(new ExampleMetadata(example, 1, ExampleMetadata.WHOLE, ranges(), text));
      }
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
