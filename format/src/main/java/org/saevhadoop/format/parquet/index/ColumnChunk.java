package org.saevhadoop.format.parquet.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.parquet.file.ByteWindows;
import org.saevhadoop.format.parquet.file.ChunkPages;
import org.saevhadoop.format.parquet.file.FileRange;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.ParquetLimits;
import org.saevhadoop.format.parquet.file.ThriftStruct;

/**
 * Column chunk: the values of one column in one row group.
 *
 * @param pages the locations of its pages
 * @param min a lower bound of the values; null if unknown
 * @param max an upper bound of the values; null if unknown
 * @param columnIndex the range of the column index, which has the bounds of the pages; empty if
 *     there is none
 * @param offsetIndex the range of the offset index, which has the locations of the pages; empty if
 *     there is none
 */
record ColumnChunk(
    SchemaLeaf leaf,
    ChunkPages pages,
    byte @Nullable [] min,
    byte @Nullable [] max,
    FileRange columnIndex,
    FileRange offsetIndex) {
  /** Returns an estimate, in bytes, of the memory that this object uses. */
  long memory() {
    return MemoryAccount.CHUNK + (min == null ? 0 : min.length) + (max == null ? 0 : max.length);
  }

  /**
   * Location of a page.
   *
   * @param start the offset in the file
   * @param bytes the size including the header
   * @param firstRow the index of its first row in the row group
   */
  record Page(long start, int bytes, long firstRow) {}

  /**
   * Returns a column chunk.
   *
   * @param chunk the Parquet ColumnChunk struct
   * @param limit the offset at which the pages of the file must end
   * @param ordered whether the file states the sort order of min and max
   */
  static ColumnChunk of(
      String path,
      IndexColumn column,
      SchemaLeaf leaf,
      ThriftStruct chunk,
      long limit,
      boolean ordered)
      throws FormatException {
    ThriftStruct meta = chunk.required(3, "a column chunk has no metadata");
    ChunkPages pages = ChunkPages.of(path, column.column(), leaf.type(), meta, limit);
    ThriftStruct statistics = ordered ? meta.struct(12) : null;
    return new ColumnChunk(
        leaf,
        pages,
        statistics == null ? null : statistics.bytes(6),
        statistics == null ? null : statistics.bytes(5),
        ordered ? range(chunk, 6, limit) : new FileRange(0, 0),
        range(chunk, 4, limit));
  }

  private static FileRange range(ThriftStruct chunk, int field, long limit) {
    long start = chunk.number(field);
    int length = chunk.integer(field + 1);
    ThriftStruct.require(
        length >= 0 && start >= 0 && start <= limit - length, "a page index is outside the file");
    ParquetLimits.check(length, ParquetLimits.MAX_PAGE_INDEX_BYTES, "bytes of page index");
    return new FileRange(start, length);
  }

  /** Returns whether a string can be among the values. */
  boolean mayHave(byte[] text) {
    return min == null || max == null || between(min, text, max);
  }

  /**
   * Bounds of the values of each page.
   *
   * @param empty whether each page contains only nulls
   * @param mins the lower bounds
   * @param maxs the upper bounds
   */
  record PageBounds(List<Boolean> empty, List<byte[]> mins, List<byte[]> maxs) {
    /** Returns whether a string can be among the values of a page. */
    boolean mayHave(int page, byte[] text) {
      return !empty.get(page) && between(mins.get(page), text, maxs.get(page));
    }
  }

  private static boolean between(byte[] min, byte[] text, byte[] max) {
    return Arrays.compareUnsigned(min, text) <= 0 && Arrays.compareUnsigned(text, max) <= 0;
  }

  /** Returns the locations of the pages, in the order of their rows. */
  List<Page> locations(ByteWindows file, long rows) throws IOException {
    List<Page> pages = new ArrayList<>();
    long atLeast = 0;
    long from = this.pages.range().start();
    for (ThriftStruct location : pageIndex(file, offsetIndex).list(1, ThriftStruct.class)) {
      Page page = new Page(location.number(1), location.integer(2), location.number(3));
      ThriftStruct.require(
          page.start() >= from
              && page.bytes() > 0
              && page.start() <= this.pages.range().end() - page.bytes(),
          "a page is outside its column chunk or overlaps another page");
      ThriftStruct.require(
          page.firstRow() >= atLeast
              && (page.firstRow() < rows || rows == 0)
              && (!pages.isEmpty() || page.firstRow() == 0),
          "pages are out of order");
      from = page.start() + page.bytes();
      atLeast = page.firstRow() + 1;
      pages.add(page);
    }
    return pages;
  }

  /** Returns the bounds of the pages; empty if the file does not contain them. */
  Optional<PageBounds> bounds(ByteWindows file, int pages) throws IOException {
    if (columnIndex.isEmpty()) {
      return Optional.empty();
    }
    ThriftStruct index = pageIndex(file, columnIndex);
    PageBounds bounds =
        new PageBounds(
            index.list(1, Boolean.class), index.list(2, byte[].class), index.list(3, byte[].class));
    ThriftStruct.require(
        bounds.empty().size() == pages
            && bounds.mins().size() == pages
            && bounds.maxs().size() == pages,
        "the column index and the offset index have different numbers of pages");
    return Optional.of(bounds);
  }

  private static ThriftStruct pageIndex(ByteWindows file, FileRange range) throws IOException {
    return ThriftStruct.read(
        file.read(range.start(), (int) range.length()),
        new MemoryAccount(ParquetLimits.MAX_PAGE_INDEX_MEMORY, "a page index"));
  }
}
