package org.saevhadoop.format.parquet.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.parquet.file.ByteWindows;
import org.saevhadoop.format.parquet.file.FileMetaData;
import org.saevhadoop.format.parquet.file.FileRange;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.ParquetLimits;
import org.saevhadoop.format.parquet.file.ThriftStruct;

/** The footer of a Parquet file, restricted to the row groups in an index. */
record IndexFooter(List<RowGroup> rowGroups) {
  /**
   * Row group.
   *
   * @param rows the number of rows
   * @param chunks the chunk of each column in the file
   */
  record RowGroup(long rows, Map<IndexColumn, ColumnChunk> chunks) {
    /** Returns the chunk of a column that exists in the file. */
    ColumnChunk chunk(IndexColumn column) {
      return Objects.requireNonNull(chunks.get(column));
    }
  }

  /**
   * Reads the footer; bytes that are read along with it, such as the page index, remain cached in
   * {@code file}.
   *
   * @param tail the number of bytes to read initially from the end of the file
   * @param kept the account that is charged for the result
   */
  static IndexFooter read(ByteWindows file, int tail, MemoryAccount kept) throws IOException {
    String path = file.path();
    FileMetaData footer = FileMetaData.read(file, tail);
    ThriftStruct meta = footer.meta();
    Map<IndexColumn, SchemaLeaf> leaves = SchemaLeaf.find(path, meta.list(2, ThriftStruct.class));
    List<RowGroup> groups = new ArrayList<>();
    for (ThriftStruct group : meta.list(4, ThriftStruct.class)) {
      groups.add(rowGroup(path, leaves, group, footer.limit(), meta.has(7)));
      groups.get(groups.size() - 1).chunks().values().forEach(chunk -> kept.take(chunk.memory()));
    }
    checkRows(groups, file.length());
    checkDisjoint(groups);
    return new IndexFooter(groups);
  }

  private static void checkRows(List<RowGroup> groups, long length) {
    long most = length * ParquetLimits.MAX_ROWS_PER_BYTE;
    long rows = 0;
    for (RowGroup group : groups) {
      for (ColumnChunk chunk : group.chunks().values()) {
        ParquetLimits.check(chunk.pages().values(), most, "values in a column of a row group");
      }
      rows += group.rows();
      ParquetLimits.check(rows, most, "rows");
    }
  }

  private static void checkDisjoint(List<RowGroup> groups) {
    List<FileRange> ranges = new ArrayList<>();
    for (RowGroup group : groups) {
      for (ColumnChunk chunk : group.chunks().values()) {
        ranges.addAll(List.of(chunk.pages().range(), chunk.columnIndex(), chunk.offsetIndex()));
      }
    }
    FileRange.requireDisjoint(ranges);
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
          leaf.getKey() == IndexColumn.SHAPE || found.pages().values() == rows,
          "a column does not have as many values as rows");
      chunks.put(leaf.getKey(), found);
    }
    return new RowGroup(rows, chunks);
  }
}
