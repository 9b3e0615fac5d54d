package org.saevhadoop.format.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.json.JsonEscapes;
import org.saevhadoop.format.parquet.table.ColumnReader;
import org.saevhadoop.format.parquet.table.JsonScalars;
import org.saevhadoop.format.parquet.table.TableColumn;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SidecarWriter;

/**
 * Writes columns of a row group as sample metadata: a JSON object for each row, whose fields are
 * the columns. Columns are read one after the other, so their values wait on the local disk.
 */
final class SampleStaging implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final List<Field> fields = new ArrayList<>();

  private SampleStaging() {}

  /**
   * Writes the sidecar of a row group, with the numbers of the rows in their file.
   *
   * @param columns the indexes of the columns
   * @param name the name that the sidecar has, with another extension
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
        Field field = new Field(footer.columns().get(column), LocalSpool.temporary(localFolder));
        staging.fields.add(field);
        field.read(new ColumnReader(in, footer, group, column, new long[0]));
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
      json.append(": ").append(field.next());
    }
    return json.append('}').toString();
  }

  @Override
  public void close() throws IOException {
    for (Field field : fields) {
      field.values.close();
    }
  }

  /** The values of a column, as JSON. */
  private static final class Field {
    private final TableColumn column;
    private final LocalSpool values;
    private ByteBuffer some = ByteBuffer.allocate(BUFFER_BYTES);
    private long position;

    Field(TableColumn column, LocalSpool values) {
      this.column = column;
      this.values = values;
    }

    void read(ColumnReader reader) throws IOException {
      try {
        if (column.isText()) {
          reader.readTexts(text -> add(quoted(text)));
        } else {
          reader.readScalars(stored -> add(JsonScalars.of(column.dtype(), stored)));
        }
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      values.append(some.flip());
      some.clear().limit(0);
    }

    private static String quoted(@Nullable String text) {
      StringBuilder json = new StringBuilder();
      if (text == null) {
        return "null";
      }
      JsonEscapes.UTF8.quote(text, json);
      return json.toString();
    }

    private void add(String json) {
      ByteBuffer utf8 = StandardCharsets.UTF_8.encode(json);
      try {
        if (some.remaining() < Integer.BYTES + utf8.remaining()) {
          values.append(some.flip());
          some.clear();
        }
        if (some.remaining() < Integer.BYTES + utf8.remaining()) {
          some = ByteBuffer.allocate(Integer.BYTES + utf8.remaining());
        }
        some.putInt(utf8.remaining()).put(utf8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Returns the value of the next row. */
    String next() throws IOException {
      require(Integer.BYTES);
      int length = some.getInt();
      require(length);
      byte[] utf8 = new byte[length];
      some.get(utf8);
      return new String(utf8, StandardCharsets.UTF_8);
    }

    private void require(int bytes) throws IOException {
      if (some.remaining() >= bytes) {
        return;
      }
      position -= some.remaining();
      if (some.capacity() < bytes) {
        some = ByteBuffer.allocate(bytes);
      }
      some.clear().limit((int) Math.min(some.capacity(), values.length() - position));
      values.read(position, some);
      position += some.limit();
      some.flip();
    }
  }
}
