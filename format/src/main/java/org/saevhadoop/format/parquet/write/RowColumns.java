package org.saevhadoop.format.parquet.write;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.parquet.write.ColumnSchema.Form;
import org.saevhadoop.format.parquet.write.ColumnSchema.Physical;
import org.saevhadoop.format.tokens.TokenReader;

/** The integer columns of a file, and the open sources of their values. */
final class RowColumns implements Closeable {
  static final String LABEL = "label";

  private static final ColumnSchema EXAMPLE =
      new ColumnSchema("example", Physical.INT64, Form.REQUIRED);
  private static final ColumnSchema LAYER =
      new ColumnSchema("layer", Physical.INT32, Form.REQUIRED);
  private static final ColumnSchema TOKEN =
      new ColumnSchema("token", Physical.INT32, Form.REQUIRED);

  private final int tokens;
  private final @Nullable PatchLabels labels;
  private final @Nullable TokenReader arrays;
  private final List<IntegerColumn> keys = new ArrayList<>();
  private final List<IntegerColumn> others = new ArrayList<>();

  /** Opens the labels and the per-token integers. */
  RowColumns(ParquetWritePlan plan) throws IOException {
    this.tokens = plan.geometry().tokens();
    LabelSource source = plan.labels();
    this.labels = source == null ? null : source.dataset().openLabels();
    this.arrays = plan.tokens().isEmpty() ? null : plan.tokens().open();
    int rows = plan.exampleRows();
    keys.add(new IntegerColumn(EXAMPLE, (layer, row, to, none) -> examples(row, rows, to)));
    if (plan.unit() == RowUnit.VECTOR) {
      keys.add(new IntegerColumn(LAYER, (layer, row, to, none) -> Arrays.fill(to, layer)));
      keys.add(new IntegerColumn(TOKEN, (layer, row, to, none) -> tokens(row, to)));
    }
    List<ColumnSchema> schema = schema(plan);
    int first = schema.size() - plan.tokens().names().size();
    for (int i = 0; i < schema.size(); i++) {
      int array = i - first;
      others.add(
          new IntegerColumn(
              schema.get(i),
              array < 0
                  ? (layer, row, to, none) -> labels(row, to, none)
                  : (layer, row, to, none) -> array(array, row, to)));
    }
  }

  /** Returns the columns that state the position of a row. */
  static List<ColumnSchema> keySchema(RowUnit unit) {
    return unit == RowUnit.VECTOR ? List.of(EXAMPLE, LAYER, TOKEN) : List.of(EXAMPLE);
  }

  /** Returns the columns of the labels and the per-token integers. */
  static List<ColumnSchema> schema(ParquetWritePlan plan) {
    List<ColumnSchema> columns = new ArrayList<>();
    LabelSource labels = plan.labels();
    if (labels != null) {
      boolean areAll = labels.patches() == plan.geometry().tokens();
      columns.add(plan.ofTokens(LABEL, Physical.INT32, areAll ? Form.REQUIRED : Form.OPTIONAL));
    }
    List<String> names = plan.tokens().names();
    for (String name : names) {
      String column = name;
      while (ParquetWritePlan.COLUMNS.contains(column)
          || Column.isActivations(column)
          || !column.equals(name) && names.contains(column)) {
        column = "source_" + column;
      }
      columns.add(plan.ofTokens(column, Physical.INT64, Form.REQUIRED));
    }
    return columns;
  }

  /** Returns the columns before the vectors. */
  List<IntegerColumn> keys() {
    return keys;
  }

  /** Returns the columns after the vectors. */
  List<IntegerColumn> others() {
    return others;
  }

  private static void examples(long firstRow, int exampleRows, long[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] = (firstRow + i) / exampleRows;
    }
  }

  private void tokens(long firstRow, long[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] = (firstRow + i) % tokens;
    }
  }

  /** Fills in the labels of patches. The tokens before the patches have no labels. */
  private void labels(long firstRow, long[] to, boolean[] isNull) throws IOException {
    PatchLabels open = Objects.requireNonNull(labels);
    long first = firstRow / tokens;
    int others = tokens - open.patches();
    ByteBuffer some = ByteBuffer.allocate(examples(firstRow, to.length) * open.patches());
    open.read(first, some);
    for (int i = 0; i < to.length; i++) {
      int patch = (int) ((firstRow + i) % tokens) - others;
      int example = (int) ((firstRow + i) / tokens - first);
      isNull[i] = patch < 0;
      to[i] = patch < 0 ? 0 : some.get(example * open.patches() + patch) & 0xff;
    }
  }

  private void array(int array, long firstRow, long[] to) throws IOException {
    LongBuffer some = LongBuffer.allocate(examples(firstRow, to.length) * tokens);
    Objects.requireNonNull(arrays).read(array, firstRow / tokens, some);
    some.get((int) (firstRow % tokens), to);
  }

  /** Returns the number of examples to which the given rows belong. */
  private int examples(long firstRow, int rows) {
    return (int) ((firstRow + rows - 1) / tokens - firstRow / tokens + 1);
  }

  @Override
  public void close() throws IOException {
    Closeable first = labels == null ? () -> {} : labels;
    try (first) {
      if (arrays != null) {
        arrays.close();
      }
    }
  }
}
