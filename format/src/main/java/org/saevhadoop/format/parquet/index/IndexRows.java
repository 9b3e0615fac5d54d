package org.saevhadoop.format.parquet.index;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;
import org.saevhadoop.format.tensor.DType;

/** Rows of a row group in order, read with one cursor per column. */
final class IndexRows {
  private final String path;
  private final Map<IndexColumn, ColumnCursor> cursors = new EnumMap<>(IndexColumn.class);

  IndexRows(String path) {
    this.path = path;
  }

  void put(IndexColumn column, ColumnCursor cursor) {
    cursors.put(column, cursor);
  }

  /** Returns the key of the next row. */
  byte[] key() throws IOException {
    return bytes(IndexColumn.TENSOR_KEY);
  }

  /** Advances all columns except the key to a row that they have not yet reached. */
  void skipTo(long row) throws IOException {
    for (Map.Entry<IndexColumn, ColumnCursor> cursor : cursors.entrySet()) {
      if (cursor.getKey() != IndexColumn.TENSOR_KEY) {
        cursor.getValue().skip(row - cursor.getValue().row());
      }
    }
  }

  /** Returns whether no column has any values left. */
  boolean isAtEnd() throws IOException {
    for (ColumnCursor cursor : cursors.values()) {
      if (!cursor.isAtEnd()) {
        return false;
      }
    }
    return true;
  }

  /** Returns the row whose key was returned. */
  TensorIndexEntry rest(byte[] key) throws IOException {
    String dtype = text(bytes(IndexColumn.DTYPE));
    List<Long> shape = cursor(IndexColumn.SHAPE).nextList();
    for (long dimension : shape) {
      if (dimension < 0) {
        throw ParquetError.BAD_ENTRY.in(path, "tensor \"%s\" has shape %s", text(key), shape);
      }
    }
    long begin = number(IndexColumn.BEGIN);
    long end = number(IndexColumn.END);
    long header = number(IndexColumn.HEADER_BYTES);
    boolean placed = begin >= 0 && end >= begin && header >= 0;
    long none = TensorIndexEntry.UNKNOWN;
    if (!placed && (begin != none || end != none || header != none)) {
      throw ParquetError.BAD_ENTRY.in(
          path,
          "tensor \"%s\" is at bytes %d to %d after a header of %d bytes",
          text(key),
          begin,
          end,
          header);
    }
    return new TensorIndexEntry(
        text(key),
        text(bytes(IndexColumn.FILE_NAME)),
        dtype(key, dtype),
        shape,
        begin,
        end,
        header);
  }

  private DType dtype(byte[] key, String name) throws FormatException {
    try {
      return DType.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw ParquetError.BAD_ENTRY
          .in(path, "tensor \"%s\" is of unknown dtype \"%s\"", text(key), name)
          .causedBy(e);
    }
  }

  private ColumnCursor cursor(IndexColumn column) {
    return Objects.requireNonNull(cursors.get(column));
  }

  private byte[] bytes(IndexColumn column) throws IOException {
    byte[] bytes = (byte[]) cursor(column).next();
    if (bytes == null) {
      throw ParquetError.BAD_ENTRY.in(path, "a row has no %s", column.column());
    }
    return bytes;
  }

  private long number(IndexColumn column) throws IOException {
    ColumnCursor cursor = cursors.get(column);
    Object number = cursor == null ? null : cursor.next();
    return number == null ? TensorIndexEntry.UNKNOWN : (Long) number;
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
