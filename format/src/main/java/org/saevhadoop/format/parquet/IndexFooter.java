package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  record RowGroup(long rows, Map<IndexColumn, ColumnChunk> chunks) {
    /** Returns the chunk of a column that the file has. */
    ColumnChunk chunk(IndexColumn column) {
      return Objects.requireNonNull(chunks.get(column));
    }
  }

  private static final int END = 4 + MAGIC;
  private static final int PAR1 = 0x31524150;

  /**
   * Reads the footer; bytes read with it, such as the page index, remain cached in {@code file}.
   *
   * @param tail the number of bytes at the end of the file to read at first
   * @param kept the account that is charged for the result
   */
  static IndexFooter read(ByteWindows file, int tail, MemoryAccount kept) throws IOException {
    long length = file.length();
    String path = file.path();
    ParquetError.BAD_PARQUET.check(
        length >= MAGIC + END, path, "has %d bytes (expected a Parquet file)", length);
    file.keepFrom(Math.max(0, length - tail));
    ByteBuffer end = file.read(length - END, END);
    int footer = end.getInt();
    ParquetError.BAD_PARQUET.check(
        end.getInt() == PAR1, path, "does not end with PAR1 (expected a Parquet file)");
    ParquetError.BAD_PARQUET.check(
        footer > 0 && footer <= length - MAGIC - END,
        path,
        "the footer has %d bytes (expected at most %d)",
        footer & 0xffffffffL,
        length - MAGIC - END);
    IndexLimits.check(footer, IndexLimits.MAX_FOOTER_BYTES, "bytes of footer");
    long limit = length - END - footer;
    ThriftStruct meta =
        ThriftStruct.read(
            file.read(limit, footer), new MemoryAccount(IndexLimits.MAX_FOOTER_MEMORY, "a footer"));
    Map<IndexColumn, SchemaLeaf> leaves = SchemaLeaf.find(path, meta.list(2, ThriftStruct.class));
    List<RowGroup> groups = new ArrayList<>();
    for (ThriftStruct group : meta.list(4, ThriftStruct.class)) {
      groups.add(rowGroup(path, leaves, group, limit, meta.has(7)));
      groups.get(groups.size() - 1).chunks().values().forEach(chunk -> kept.take(chunk.memory()));
    }
    checkRows(groups, length);
    checkDisjoint(groups);
    return new IndexFooter(groups);
  }

  private static void checkRows(List<RowGroup> groups, long length) {
    long most = length * IndexLimits.MAX_ROWS_PER_BYTE;
    long rows = 0;
    for (RowGroup group : groups) {
      for (ColumnChunk chunk : group.chunks().values()) {
        IndexLimits.check(chunk.values(), most, "values in a column of a row group");
      }
      rows += group.rows();
      IndexLimits.check(rows, most, "rows");
    }
  }

  /**
   * Checks that no bytes belong to two columns: a small file could stand for any number of rows.
   */
  private static void checkDisjoint(List<RowGroup> groups) {
    List<ColumnChunk.Range> ranges = new ArrayList<>();
    for (RowGroup group : groups) {
      for (ColumnChunk chunk : group.chunks().values()) {
        ranges.addAll(List.of(chunk.pagesRange(), chunk.columnIndex(), chunk.offsetIndex()));
      }
    }
    ranges.removeIf(ColumnChunk.Range::isEmpty);
    ranges.sort(Comparator.comparingLong(ColumnChunk.Range::start));
    for (int i = 1; i < ranges.size(); i++) {
      ThriftStruct.require(
          ranges.get(i).start() >= ranges.get(i - 1).end(), "columns overlap in the file");
    }
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
