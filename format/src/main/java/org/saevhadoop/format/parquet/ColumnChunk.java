package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.saevhadoop.format.io.FormatException;

/**
 * Column chunk: the values of one column in one row group.
 *
 * @param leaf the leaf of the schema
 * @param codec the compression of the pages
 * @param start the offset in the file of the first page
 * @param end the offset after the last page
 * @param values the number of values, including nulls
 * @param min a lower bound of the values; null if unknown
 * @param max an upper bound of the values; null if unknown
 * @param columnIndex the range of the column index, which has the bounds of the pages; empty if
 *     there is none
 * @param offsetIndex the range of the offset index, which has the locations of the pages; empty if
 *     there is none
 */
record ColumnChunk(
    SchemaLeaf leaf,
    PageCodec codec,
    long start,
    long end,
    long values,
    byte[] min,
    byte[] max,
    Range columnIndex,
    Range offsetIndex) {
  /** Byte range of the file. */
  record Range(long start, int length) {
    boolean isEmpty() {
      return length == 0;
    }
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
   * @param chunk the ColumnChunk struct of Parquet
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
    ThriftStruct meta = chunk.struct(3);
    ThriftStruct.require(meta != null, "a column chunk has no metadata");
    int codecs = PageCodec.values().length;
    int number = meta.integer(4);
    ParquetError.UNSUPPORTED_PARQUET.check(
        number >= 0 && number < codecs && PageCodec.values()[number].readable(),
        path,
        "column %s is compressed with %s (expected SNAPPY, GZIP or none)",
        column.column(),
        number >= 0 && number < codecs ? PageCodec.values()[number] : "codec " + number);
    long data = meta.number(9);
    long dictionary = meta.number(11);
    long start = dictionary > 0 ? Math.min(dictionary, data) : data;
    long bytes = meta.number(7);
    ParquetError.BAD_PARQUET.check(
        start >= IndexFooter.MAGIC && bytes >= 0 && start <= limit - bytes,
        path,
        "column %s has %d bytes at byte %d (expected its end before %d)",
        column.column(),
        bytes,
        start,
        limit);
    ThriftStruct.require(
        meta.integer(1) == leaf.type(), "a column chunk has another type than its column");
    ThriftStruct statistics = ordered ? meta.struct(12) : null;
    return new ColumnChunk(
        leaf,
        PageCodec.values()[number],
        start,
        start + bytes,
        meta.number(5),
        statistics == null ? null : statistics.bytes(6),
        statistics == null ? null : statistics.bytes(5),
        ordered ? range(chunk, 6, limit) : new Range(0, 0),
        range(chunk, 4, limit));
  }

  private static Range range(ThriftStruct chunk, int field, long limit) {
    long start = chunk.number(field);
    int length = chunk.integer(field + 1);
    ThriftStruct.require(
        length >= 0 && start >= 0 && start <= limit - length, "a page index lies outside the file");
    return new Range(start, length);
  }

  /** Returns whether a text may be among the values. */
  boolean mayHave(byte[] text) {
    return min == null || max == null || between(min, text, max);
  }

  private static boolean between(byte[] min, byte[] text, byte[] max) {
    return Arrays.compareUnsigned(min, text) <= 0 && Arrays.compareUnsigned(text, max) <= 0;
  }

  /** Returns the locations of the pages, in the order of their rows. */
  List<Page> pages(ByteWindows file, long rows) throws IOException {
    ByteBuffer bytes = file.read(offsetIndex.start(), offsetIndex.length());
    List<Page> pages = new ArrayList<>();
    long atLeast = 0;
    for (ThriftStruct place : ThriftStruct.read(bytes).list(1, ThriftStruct.class)) {
      Page page = new Page(place.number(1), place.integer(2), place.number(3));
      ThriftStruct.require(
          page.start() >= start && page.bytes() > 0 && page.start() <= end - page.bytes(),
          "a page lies outside its column chunk");
      ThriftStruct.require(
          page.firstRow() >= atLeast
              && (page.firstRow() < rows || rows == 0)
              && (!pages.isEmpty() || page.firstRow() == 0),
          "pages are out of order");
      atLeast = page.firstRow() + 1;
      pages.add(page);
    }
    return pages;
  }

  /** Returns the indexes of the pages that may contain a text. */
  List<Integer> candidates(ByteWindows file, byte[] text, int pages) throws IOException {
    List<Integer> candidates = new ArrayList<>();
    if (columnIndex.isEmpty()) {
      for (int i = 0; i < pages; i++) {
        candidates.add(i);
      }
      return candidates;
    }
    ThriftStruct index = ThriftStruct.read(file.read(columnIndex.start(), columnIndex.length()));
    List<Boolean> empty = index.list(1, Boolean.class);
    List<byte[]> mins = index.list(2, byte[].class);
    List<byte[]> maxs = index.list(3, byte[].class);
    ThriftStruct.require(
        empty.size() == pages && mins.size() == pages && maxs.size() == pages,
        "the column index has not as many pages as the offset index");
    for (int i = 0; i < pages; i++) {
      if (!empty.get(i) && between(mins.get(i), text, maxs.get(i))) {
        candidates.add(i);
      }
    }
    return candidates;
  }
}
