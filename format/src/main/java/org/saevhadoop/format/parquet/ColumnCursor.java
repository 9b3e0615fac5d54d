package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Cursor over the values of a column, row by row, from consecutive pages. */
final class ColumnCursor {
  private static final int DATA = 0;
  private static final int DICTIONARY = 2;
  private static final int PLAIN = 0;
  private static final int PLAIN_DICTIONARY = 2;
  private static final int RLE = 3;
  private static final int RLE_DICTIONARY = 8;
  private static final long MAX_HEADER_MEMORY = 4L * IndexLimits.MAX_PAGE_HEADER_BYTES;

  private final ByteWindows file;
  private final ColumnChunk chunk;
  private final MemoryAccount memory;
  private final Consumer<ColumnChunk.Page> pages;
  private long position;
  private long end;

  private @Nullable List<Object> dictionary;
  private long pageMemory;
  private long rows; // Rows that were begun.
  private int left; // Remaining values of the page.
  private ByteBuffer plain = ByteBuffer.allocate(0);
  private RunLengthDecoder repetitions = new RunLengthDecoder(plain, 0);
  private RunLengthDecoder definitions = repetitions;
  private @Nullable RunLengthDecoder indices; // Null if values are plain-encoded.
  private boolean ahead; // The level of the next value, read in advance.
  private int repetition;

  /**
   * Creates a cursor over all rows of a chunk.
   *
   * @param memory the account that is charged for the current page and the dictionary
   * @param pages the receiver of the location of each data page when it is read
   */
  ColumnCursor(
      ByteWindows file, ColumnChunk chunk, MemoryAccount memory, Consumer<ColumnChunk.Page> pages) {
    this.file = file;
    this.chunk = chunk;
    this.memory = memory;
    this.pages = pages;
    this.position = chunk.start();
    this.end = chunk.end();
  }

  /**
   * Continues with the first row of a page, and ends with the last one. The dictionary of the chunk
   * is read when the first page needs it.
   */
  void moveTo(ColumnChunk.Page page) {
    position = page.start();
    end = page.start() + page.bytes();
    left = 0;
    ahead = false;
    rows = page.firstRow();
  }

  /** Returns the index in the chunk of the next row. */
  long row() {
    return rows;
  }

  /** Returns whether there is no value left. */
  boolean isAtEnd() throws IOException {
    return !toValue();
  }

  /** Returns the value of the row, {@code byte[]} or {@code Long}, or null. */
  @Nullable Object next() throws IOException {
    if (!toValue()) {
      throw new IllegalArgumentException("a column ends before its last row");
    }
    rows++;
    return value();
  }

  /** Returns the list of the row without its null elements. */
  List<Long> nextList() throws IOException {
    List<Long> list = new ArrayList<>(4);
    if (!toValue()) {
      throw new IllegalArgumentException("a column ends before its last row");
    }
    ThriftStruct.require(repetition == 0, "a page begins within a list");
    rows++;
    do {
      Object value = value();
      if (value != null) {
        IndexLimits.check(list.size(), IndexLimits.MAX_DIMENSIONS - 1, "dimensions of a tensor");
        list.add((Long) value);
      }
    } while (toValue() && repetition > 0);
    return list;
  }

  void skip(long rows) throws IOException {
    for (long i = 0; i < rows; i++) {
      if (chunk.leaf().repetition() == 0) {
        next();
      } else {
        nextList();
      }
    }
  }

  /** Advances to the next value, across page boundaries, and reads its repetition level. */
  private boolean toValue() throws IOException {
    while (!ahead && left == 0) {
      if (position >= end) {
        return false;
      }
      nextPage();
    }
    if (!ahead) {
      repetition = repetitions.next();
      ahead = true;
    }
    return true;
  }

  private @Nullable Object value() {
    ahead = false;
    left--;
    if (definitions.next() < chunk.leaf().definition()) {
      return null;
    }
    return indices != null ? Objects.requireNonNull(dictionary).get(indices.next()) : plain(plain);
  }

  private Object plain(ByteBuffer in) {
    return switch (chunk.leaf().type()) {
      case SchemaLeaf.INT32 -> (long) in.getInt();
      case SchemaLeaf.INT64 -> in.getLong();
      default -> {
        int length = in.getInt();
        ThriftStruct.require(
            length >= 0 && length <= in.remaining(), "a text goes on after its page");
        byte[] text = new byte[length];
        in.get(text);
        yield text;
      }
    };
  }

  /** Header of a page and the bytes after it. */
  private record PageBytes(ThriftStruct header, ByteBuffer body) {}

  private void nextPage() throws IOException {
    long start = position;
    memory.release(pageMemory);
    pageMemory = 0;
    PageBytes page = read();
    ThriftStruct header = page.header();
    int type = header.integer(1);
    switch (type) {
      case DATA -> {
        pages.accept(new ColumnChunk.Page(start, (int) (position - start), rows));
        dataPage(page, header.required(5, "a data page has no header"));
      }
      case DICTIONARY -> {
        ThriftStruct.require(dictionary == null, "a column chunk has two dictionaries");
        dictionary(page);
      }
      default ->
          throw ParquetError.UNSUPPORTED_PARQUET.in(
              file.path(),
              "has a page of type %d (expected 0 or 2: data of version 1 or a dictionary)",
              type);
    }
  }

  private PageBytes read() throws IOException {
    ThriftStruct header = null;
    int headerBytes = 0;
    for (int size = 512; header == null; size *= 16) {
      int have = (int) Math.min(size, end - position);
      ByteBuffer bytes = file.read(position, have);
      try {
        header = ThriftStruct.read(bytes, new MemoryAccount(MAX_HEADER_MEMORY, "a page header"));
        headerBytes = bytes.position();
      } catch (BufferUnderflowException | IllegalArgumentException e) {
        if (have == end - position || size > IndexLimits.MAX_PAGE_HEADER_BYTES / 16) {
          throw e;
        }
      }
    }
    int size = header.integer(3);
    ParquetError.BAD_PARQUET.check(
        size >= 0 && size <= end - position - headerBytes,
        file.path(),
        "the page at byte %d has %d bytes (expected at most %d)",
        position,
        size,
        end - position - headerBytes);
    IndexLimits.check(size, IndexLimits.MAX_PAGE_BYTES, "bytes in a page");
    takePage(size);
    ByteBuffer body = file.read(position + headerBytes, size);
    if (header.has(4)) {
      CRC32 crc = new CRC32();
      crc.update(body.duplicate());
      ParquetError.BAD_PARQUET.check(
          (int) crc.getValue() == (int) header.number(4),
          file.path(),
          "the page at byte %d is corrupt: its CRC does not match",
          position);
    }
    position += headerBytes + size;
    return new PageBytes(header, body);
  }

  private void takePage(long bytes) {
    memory.take(bytes);
    pageMemory += bytes;
  }

  private ByteBuffer unpack(ByteBuffer body, int size) {
    IndexLimits.check(size, IndexLimits.MAX_PAGE_BYTES, "bytes in an unpacked page");
    takePage(size);
    return chunk.codec().unpack(body, size);
  }

  private void dictionary(PageBytes page) {
    int size = page.header().required(7, "a dictionary page has no header").integer(1);
    ByteBuffer in = unpack(page.body(), page.header().integer(2));
    ThriftStruct.require(
        size >= 0 && size <= in.remaining() / 4, "a dictionary is longer than its page");
    memory.take((long) size * (MemoryAccount.BYTES + MemoryAccount.FIELD) + in.remaining());
    List<Object> values = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      values.add(plain(in));
    }
    dictionary = values;
  }

  private void dataPage(PageBytes page, ThriftStruct data) throws IOException {
    ByteBuffer in = unpack(page.body(), page.header().integer(2));
    SchemaLeaf leaf = chunk.leaf();
    repetitions = levels(in, leaf.repetition(), data.integer(4));
    definitions = levels(in, leaf.definition(), data.integer(3));
    values(in, data.integer(1), data.integer(2));
  }

  private static RunLengthDecoder levels(ByteBuffer in, int highest, int encoding) {
    if (highest == 0) {
      return new RunLengthDecoder(in, 0);
    }
    ThriftStruct.require(encoding == RLE, "levels are in encoding " + encoding);
    int size = in.getInt();
    ThriftStruct.require(size >= 0 && size <= in.remaining(), "levels are longer than their page");
    ByteBuffer levels = in.slice(in.position(), size);
    in.position(in.position() + size);
    return new RunLengthDecoder(levels, Integer.SIZE - Integer.numberOfLeadingZeros(highest));
  }

  private void values(ByteBuffer in, int count, int encoding) throws IOException {
    ThriftStruct.require(
        count >= 0 && count <= chunk.values(), "a page has more values than its column chunk");
    left = count;
    boolean indexed = encoding == PLAIN_DICTIONARY || encoding == RLE_DICTIONARY;
    ParquetError.UNSUPPORTED_PARQUET.check(
        indexed || encoding == PLAIN,
        file.path(),
        "values have encoding %d (expected 0, 2 or 8: plain or dictionary)",
        encoding);
    plain = in;
    indices = null;
    if (indexed && dictionary == null) {
      ColumnCursor first = new ColumnCursor(file, chunk, memory, location -> {});
      PageBytes page = first.read();
      ThriftStruct.require(
          page.header().integer(1) == DICTIONARY, "a page needs a dictionary that is not there");
      first.dictionary(page);
      dictionary = first.dictionary;
      memory.release(first.pageMemory);
    }
    if (indexed) { // A page that contains only nulls may be empty here.
      indices = new RunLengthDecoder(in, in.hasRemaining() ? in.get() : 0);
    }
  }
}
