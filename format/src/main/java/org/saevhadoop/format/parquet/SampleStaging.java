package org.saevhadoop.format.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonEscapes;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.table.ColumnReader;
import org.saevhadoop.format.parquet.table.TableColumn;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SidecarWriter;
import org.saevhadoop.format.tensor.JsonScalars;

/**
 * Writes columns of a row group as sample metadata: a JSON object for each row, whose fields are
 * the columns. Columns are read one by one, so their values are buffered on the local disk.
 */
final class SampleStaging implements Closeable {
  private static final int MAX_SHOWN = 100;

  private final List<Field> fields = new ArrayList<>();

  private SampleStaging() {}

  /**
   * Writes the sidecar of a row group, with the number of each row within its file.
   *
   * @param columns the indexes of the columns
   * @param name the name of the sidecar, but with another extension
   */
  static void write(
      Input in,
      TableFooter footer,
      int group,
      List<Integer> columns,
      Folder target,
      String name,
      Path localFolder)
      throws IOException {
    long first = footer.rowsBefore(group);
    long rows = footer.rowGroups().get(group).rows();
    try (SampleStaging staging = new SampleStaging();
        SidecarWriter writer = new SidecarWriter(target, name, first, rows)) {
      for (int column : columns) {
        Field field = new Field(footer.columns().get(column), new SpooledTexts(localFolder));
        staging.fields.add(field);
        read(in, footer, group, column, field.values::add);
        field.values.end();
      }
      for (long row = 0; row < rows; row++) {
        writer.write(new ExampleMetadata(first + row, staging.object()));
      }
    }
  }

  /** Returns the object of the next row. */
  private String object() throws IOException {
    StringBuilder json = new StringBuilder("{");
    for (Field field : fields) {
      json.append(json.length() > 1 ? ", " : "");
      JsonEscapes.UTF8.quote(field.column.name(), json);
      json.append(": ").append(field.values.next());
    }
    return json.append('}').toString();
  }

  @Override
  public void close() throws IOException {
    Io.closeAll(fields.stream().map(Field::values).toList());
  }

  /** The values of a column, as JSON. */
  private record Field(TableColumn column, SpooledTexts values) {}

  /** Receiver of values as JSON. */
  @FunctionalInterface
  private interface Sink {
    void accept(String json) throws IOException;
  }

  /** Checks columns of a row group without storing their values. */
  static void check(Input in, TableFooter footer, int group, List<Integer> columns)
      throws IOException {
    for (int column : columns) {
      read(in, footer, group, column, json -> {});
    }
  }

  private static void read(Input in, TableFooter footer, int group, int index, Sink sink)
      throws IOException {
    TableColumn column = footer.columns().get(index);
    ColumnReader reader = new ColumnReader(in, footer, group, index, new long[0]);
    long[] row = {footer.rowsBefore(group)};
    if (column.isText()) {
      reader.readTexts(text -> accept(() -> sink.accept(quoted(text))));
    } else {
      reader.readScalars(
          stored -> accept(() -> sink.accept(json(in.path(), column, row[0]++, stored))));
    }
  }

  private static String json(String path, TableColumn column, long row, @Nullable ByteBuffer stored)
      throws FormatException {
    try {
      return column.json(stored);
    } catch (DateTimeException | ArithmeticException e) {
      throw ParquetError.BAD_PARQUET
          .in(
              path,
              "column %s has a value in row %d, counted from 0, that is no date or time: %s",
              Quote.show(column.name(), MAX_SHOWN),
              row,
              e.getMessage())
          .causedBy(e);
    }
  }

  /** A step that may fail to convert a value, or to store it. */
  @FunctionalInterface
  private interface Step {
    void take() throws IOException;
  }

  private static void accept(Step step) {
    try {
      step.take();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String quoted(@Nullable String text) {
    if (text == null) {
      return JsonScalars.NULL;
    }
    StringBuilder json = new StringBuilder();
    JsonEscapes.UTF8.quote(text, json);
    return json.toString();
  }
}
