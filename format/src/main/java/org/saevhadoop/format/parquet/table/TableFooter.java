package org.saevhadoop.format.parquet.table;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.ByteWindows;
import org.saevhadoop.format.parquet.file.ChunkPages;
import org.saevhadoop.format.parquet.file.FileMetaData;
import org.saevhadoop.format.parquet.file.FileRange;
import org.saevhadoop.format.parquet.file.GuardedRead;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.file.ParquetLimits;
import org.saevhadoop.format.parquet.file.ThriftStruct;

/**
 * The content of the footer of a file.
 *
 * @param path the path of the file
 * @param columns the columns that contain scalars, arrays of numbers or strings
 * @param others the names of all other columns
 * @param rowGroups the row groups
 * @param metadata the key-value metadata that the writer added
 */
public record TableFooter(
    String path,
    List<TableColumn> columns,
    List<String> others,
    List<RowGroup> rowGroups,
    Map<String, String> metadata) {
  /** Number of bytes at the end of a file that are read first. */
  private static final int TAIL = 64 << 10;

  private static final int WINDOW = 64 << 10;

  /** Denotes a number of nulls that the file does not state. */
  public static final long UNKNOWN = -1;

  /**
   * A constant column needs a few bytes for each page. Allowing more values per byte would let a
   * small file claim any number of vectors.
   */
  private static final long MAX_VALUES_PER_BYTE = 1 << 16;

  /**
   * A row group.
   *
   * @param rows the number of rows
   * @param bytes the size in bytes of the pages of all columns
   * @param chunks the pages of each column, in the order of {@link TableFooter#columns}
   * @param nulls the number of nulls of each column, or {@link #UNKNOWN}
   */
  public record RowGroup(long rows, long bytes, List<ChunkPages> chunks, List<Long> nulls) {}

  /** Reads the footer of a file. */
  public static TableFooter read(Input in) throws IOException {
    return GuardedRead.of(
        in.path(),
        () -> {
          ByteWindows file = new ByteWindows(in, 0, WINDOW, 1);
          FileMetaData footer = FileMetaData.read(file, TAIL);
          return of(in.path(), in.length(), footer);
        });
  }

  private static TableFooter of(String path, long length, FileMetaData footer)
      throws FormatException {
    ThriftStruct meta = footer.meta();
    Map<String, String> metadata = new HashMap<>();
    for (ThriftStruct pair : meta.list(5, ThriftStruct.class)) {
      metadata.put(text(pair.bytes(1)), text(pair.bytes(2)));
    }
    TableColumn.Schema schema = TableColumn.schema(meta.list(2, ThriftStruct.class), metadata);
    List<RowGroup> groups = new ArrayList<>();
    List<FileRange> ranges = new ArrayList<>();
    long rows = 0;
    for (ThriftStruct group : meta.list(4, ThriftStruct.class)) {
      RowGroup read = rowGroup(path, schema.columns(), group, footer.limit());
      read.chunks().forEach(chunk -> ranges.add(chunk.range()));
      rows += read.rows();
      groups.add(read);
    }
    FileRange.requireDisjoint(ranges);
    ParquetLimits.check(rows, length * MAX_VALUES_PER_BYTE, "rows");
    return new TableFooter(path, schema.columns(), schema.others(), groups, metadata);
  }

  private static RowGroup rowGroup(
      String path, List<TableColumn> columns, ThriftStruct group, long limit)
      throws FormatException {
    List<ThriftStruct> all = group.list(1, ThriftStruct.class);
    long rows = group.number(3);
    ThriftStruct.require(rows >= 0, "a row group has a negative number of rows");
    List<ChunkPages> chunks = new ArrayList<>();
    List<Long> nulls = new ArrayList<>();
    for (TableColumn column : columns) {
      ThriftStruct.require(column.leaf() < all.size(), "a row group lacks a column");
      ThriftStruct chunk = all.get(column.leaf());
      ParquetError.UNSUPPORTED_PARQUET.check(
          !chunk.has(1),
          path,
          "has columns in another file (expected a file that contains its pages)");
      ThriftStruct meta = chunk.required(3, "a column chunk has no metadata");
      ChunkPages pages = ChunkPages.of(path, column.name(), column.type(), meta, limit);
      ThriftStruct.require(
          column.lists() > 0 ? pages.values() >= rows : pages.values() == rows,
          "a column does not have as many values as rows");
      ParquetLimits.check(
          pages.values(),
          pages.range().length() * MAX_VALUES_PER_BYTE,
          "values in a column of a row group");
      ThriftStruct statistics = meta.struct(12);
      chunks.add(pages);
      nulls.add(
          column.definition() == 0
              ? 0
              : statistics == null || !statistics.has(3) ? UNKNOWN : statistics.number(3));
    }
    long bytes = chunks.stream().mapToLong(chunk -> chunk.range().length()).sum();
    return new RowGroup(rows, bytes, chunks, nulls);
  }

  private static String text(byte @org.jspecify.annotations.Nullable [] utf8) {
    return utf8 == null ? "" : new String(utf8, StandardCharsets.UTF_8);
  }

  /** Returns the number of dimensions of each column, including the rows. */
  public Map<String, Integer> ranks() {
    Map<String, Integer> ranks = new HashMap<>();
    columns.forEach(column -> ranks.put(column.name(), column.rank()));
    return ranks;
  }

  /** Returns the number of rows before a row group. */
  public long rowsBefore(int group) {
    return rowGroups.subList(0, group).stream().mapToLong(RowGroup::rows).sum();
  }

  /** Returns the number of rows. */
  public long rows() {
    return rowGroups.stream().mapToLong(RowGroup::rows).sum();
  }
}
