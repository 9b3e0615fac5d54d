package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.FormatException;

/** Footer of a Parquet file: {@code FileMetaData}, its length in 4 bytes, "PAR1". */
record IndexFooter(List<RowGroup> rowGroups) {
  /** Size in bytes of the magic that begins and ends a file. */
  static final int MAGIC = 4;

  /**
   * Row group.
   *
   * @param rows the number of rows
   * @param chunks the chunk of each column in the file
   */
  record RowGroup(long rows, Map<IndexColumn, ColumnChunk> chunks) {}

  private static final int END = 4 + MAGIC;
  private static final int TAIL = 128 << 10;
  private static final int MAX_FOOTER = 256 << 20;
  private static final int PAR1 = 0x31524150;

  /**
   * Reads the footer; bytes read with it, such as the page index, remain cached in {@code file}.
   */
  static IndexFooter read(ByteWindows file) throws IOException {
    long length = file.length();
    String path = file.path();
    ParquetError.BAD_PARQUET.check(
        length >= MAGIC + END, path, "has %d bytes (expected a Parquet file)", length);
    file.keepFrom(Math.max(0, length - TAIL));
    ByteBuffer end = file.read(length - END, END);
    int footer = end.getInt();
    ParquetError.BAD_PARQUET.check(
        end.getInt() == PAR1, path, "does not end with PAR1 (expected a Parquet file)");
    ParquetError.BAD_PARQUET.check(
        footer > 0 && footer <= Math.min(MAX_FOOTER, length - MAGIC - END),
        path,
        "the footer has %d bytes (expected at most %d)",
        footer & 0xffffffffL,
        Math.min(MAX_FOOTER, length - MAGIC - END));
    long limit = length - END - footer;
    if (footer > TAIL - END) {
      file.keepFrom(limit);
    }
    ThriftStruct meta = ThriftStruct.read(file.read(limit, footer));
    Map<IndexColumn, SchemaLeaf> leaves = SchemaLeaf.find(path, meta.list(2, ThriftStruct.class));
    List<RowGroup> groups = new ArrayList<>();
    for (ThriftStruct group : meta.list(4, ThriftStruct.class)) {
      groups.add(rowGroup(path, leaves, group, limit, meta.has(7)));
    }
    return new IndexFooter(groups);
  }

  private static RowGroup rowGroup(
      String path,
      Map<IndexColumn, SchemaLeaf> leaves,
      ThriftStruct group,
      long limit,
      boolean ordered)
      throws FormatException {
    List<ThriftStruct> columns = group.list(1, ThriftStruct.class);
    long rows = group.number(3);
    ThriftStruct.require(rows >= 0, "a row group has a negative number of rows");
    Map<IndexColumn, ColumnChunk> chunks = new EnumMap<>(IndexColumn.class);
    for (Map.Entry<IndexColumn, SchemaLeaf> leaf : leaves.entrySet()) {
      ThriftStruct.require(leaf.getValue().number() < columns.size(), "a row group lacks a column");
      ThriftStruct chunk = columns.get(leaf.getValue().number());
      ColumnChunk found =
          ColumnChunk.of(path, leaf.getKey(), leaf.getValue(), chunk, limit, ordered);
      ThriftStruct.require(
          leaf.getKey() == IndexColumn.SHAPE || found.values() == rows,
          "a column has not as many values as there are rows");
      chunks.put(leaf.getKey(), found);
    }
    return new RowGroup(rows, chunks);
  }
}
