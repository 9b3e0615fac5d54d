package org.saevhadoop.format.parquet.write;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.parquet.write.ColumnSchema.Physical;

/**
 * A written column chunk.
 *
 * @param start the offset of its first page
 * @param firstData the offset of its first page of values, which follows a dictionary
 * @param values the number of values, including nulls
 * @param bytes the length of all pages with their headers
 * @param plainBytes the length of all pages with their headers before compression
 */
record WrittenChunk(
    ColumnSchema column,
    PageCompression compression,
    long start,
    long firstData,
    long values,
    long bytes,
    long plainBytes,
    List<Page> pages) {
  private static final int PLAIN = 0;
  private static final int RLE = 3;
  private static final int RLE_DICTIONARY = 8;
  private static final int UNORDERED = 0;

  /**
   * A page of values.
   *
   * @param bytes its length with its header
   * @param firstRow the index in the row group of the first row of the page; this row can begin on
   *     an earlier page
   * @param bounds the bounds of its values; null if they are not integers
   */
  record Page(long offset, int bytes, long firstRow, @Nullable Bounds bounds) {}

  /**
   * The bounds of integers.
   *
   * @param nulls the number of nulls
   * @param values the number of values that are not null; if it is 0, the bounds are meaningless
   */
  record Bounds(long min, long max, long nulls, long values) {
    Bounds with(Bounds other) {
      long all = values + other.values;
      long least = other.values == 0 ? min : values == 0 ? other.min : Math.min(min, other.min);
      long most = other.values == 0 ? max : values == 0 ? other.max : Math.max(max, other.max);
      return new Bounds(least, most, nulls + other.nulls, all);
    }
  }

  /** Returns the ColumnMetaData of parquet.thrift. */
  ThriftWriter metadata() {
    boolean hasDictionary = firstData > start;
    List<Integer> encodings =
        hasDictionary ? List.of(PLAIN, RLE, RLE_DICTIONARY) : List.of(PLAIN, RLE);
    ThriftWriter metadata =
        new ThriftWriter()
            .i32(1, column.type().code())
            .enums(2, encodings)
            .texts(3, column.path())
            .i32(4, compression.code())
            .i64(5, values)
            .i64(6, plainBytes)
            .i64(7, bytes)
            .i64(9, firstData);
    if (hasDictionary) {
      metadata.i64(11, start);
    }
    Bounds bounds = bounds();
    if (bounds != null) {
      ThriftWriter statistics = new ThriftWriter().i64(3, bounds.nulls);
      if (bounds.values > 0) {
        statistics.binary(5, bytes(bounds.max)).binary(6, bytes(bounds.min));
      }
      metadata.struct(12, statistics);
    }
    return metadata;
  }

  private @Nullable Bounds bounds() {
    return pages.stream()
        .flatMap(page -> Stream.ofNullable(page.bounds))
        .reduce(Bounds::with)
        .orElse(null);
  }

  private byte[] bytes(long value) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return column.type() == Physical.INT64
        ? bytes.putLong(value).array()
        : ByteBuffer.allocate(Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt((int) value)
            .array();
  }

  /** Returns the ColumnIndex of parquet.thrift; null if the values have no bounds. */
  @Nullable ThriftWriter columnIndex() {
    List<Boolean> empty = new ArrayList<>();
    List<byte[]> least = new ArrayList<>();
    List<byte[]> most = new ArrayList<>();
    List<Long> nulls = new ArrayList<>();
    for (Page page : pages) {
      Bounds bounds = page.bounds;
      if (bounds == null) {
        return null;
      }
      boolean hasNone = bounds.values == 0;
      empty.add(hasNone);
      least.add(hasNone ? new byte[0] : bytes(bounds.min));
      most.add(hasNone ? new byte[0] : bytes(bounds.max));
      nulls.add(bounds.nulls);
    }
    return new ThriftWriter()
        .bools(1, empty)
        .binaries(2, least)
        .binaries(3, most)
        .i32(4, UNORDERED)
        .longs(5, nulls);
  }

  /** Returns the OffsetIndex of parquet.thrift; null if pages begin within rows. */
  @Nullable ThriftWriter offsetIndex() {
    if (pages.stream().mapToLong(Page::firstRow).distinct().count() < pages.size()) {
      return null;
    }
    return new ThriftWriter()
        .structs(
            1,
            pages.stream()
                .map(
                    page ->
                        new ThriftWriter()
                            .i64(1, page.offset)
                            .i32(2, page.bytes)
                            .i64(3, page.firstRow))
                .toList());
  }
}
