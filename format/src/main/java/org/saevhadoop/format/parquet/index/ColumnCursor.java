package org.saevhadoop.format.parquet.index;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.parquet.file.ByteWindows;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.PageReader;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.file.ParquetLimits;
import org.saevhadoop.format.parquet.file.RunLengthDecoder;
import org.saevhadoop.format.parquet.file.ThriftStruct;

/** Cursor over the values of a column, row by row, from consecutive pages. */
final class ColumnCursor {
  private final ByteWindows file;
  private final ColumnChunk chunk;
  private final MemoryAccount memory;
  private final Consumer<ColumnChunk.Page> pages;
  private final PageReader reader;

  private @Nullable List<Object> dictionary;
  private long rows; // the number of rows that were begun
  private int left; // the number of remaining values of the page
  private ByteBuffer plain = ByteBuffer.allocate(0);
  private RunLengthDecoder repetitions = new RunLengthDecoder(plain, 0);
  private RunLengthDecoder definitions = repetitions;
  private @Nullable RunLengthDecoder indices; // null if values are plain-encoded
  private boolean ahead; // whether the level of the next value was read in advance
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
    this.reader = reader();
  }

  private PageReader reader() {
    return new PageReader(file, chunk.pages(), ParquetLimits.MAX_PAGE_BYTES, memory);
  }

  /**
   * Continues with the first row of a page, and ends with its last row. The dictionary of the chunk
   * is read when a page first needs it.
   */
  void moveTo(ColumnChunk.Page page) {
    reader.moveTo(page.start(), page.start() + page.bytes());
    left = 0;
    ahead = false;
    rows = page.firstRow();
  }

  /** Returns the index of the next row in the chunk. */
  long row() {
    return rows;
  }

  /** Returns whether no values are left. */
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
        ParquetLimits.check(
            list.size(), ParquetLimits.MAX_DIMENSIONS - 1, "dimensions of a tensor");
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
      if (!reader.hasNext()) {
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
            length >= 0 && length <= in.remaining(), "a text continues past its page");
        byte[] text = new byte[length];
        in.get(text);
        yield text;
      }
    };
  }

  private void nextPage() throws IOException {
    PageReader.Page page = reader.next();
    switch (page.type()) {
      case PageReader.DATA -> {
        int bytes = (int) (reader.position() - page.start());
        pages.accept(new ColumnChunk.Page(page.start(), bytes, rows));
        dataPage(page, page.header().required(5, "a data page has no header"));
      }
      case PageReader.DICTIONARY -> {
        ThriftStruct.require(dictionary == null, "a column chunk has two dictionaries");
        dictionary(reader, page);
      }
      default ->
          throw ParquetError.UNSUPPORTED_PARQUET.in(
              file.path(),
              "has a page of type %d (expected 0 for version 1 data, or 2 for a dictionary)",
              page.type());
    }
  }

  private void dictionary(PageReader from, PageReader.Page page) {
    int size = page.header().required(7, "a dictionary page has no header").integer(1);
    ByteBuffer in = from.unpack(page.body(), page.unpackedBytes());
    ThriftStruct.require(
        size >= 0 && size <= in.remaining() / 4, "a dictionary is longer than its page");
    memory.take((long) size * (MemoryAccount.BYTES + MemoryAccount.FIELD) + in.remaining());
    List<Object> values = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      values.add(plain(in));
    }
    dictionary = values;
  }

  private void dataPage(PageReader.Page page, ThriftStruct data) throws IOException {
    ByteBuffer in = reader.unpack(page.body(), page.unpackedBytes());
    SchemaLeaf leaf = chunk.leaf();
    repetitions = PageReader.levels(in, leaf.repetition(), data.integer(4));
    definitions = PageReader.levels(in, leaf.definition(), data.integer(3));
    values(in, data.integer(1), data.integer(2));
  }

  private void values(ByteBuffer in, int count, int encoding) throws IOException {
    ThriftStruct.require(
        count >= 0 && count <= chunk.pages().values(),
        "a page has more values than its column chunk");
    left = count;
    boolean indexed =
        encoding == PageReader.PLAIN_DICTIONARY || encoding == PageReader.RLE_DICTIONARY;
    ParquetError.UNSUPPORTED_PARQUET.check(
        indexed || encoding == PageReader.PLAIN,
        file.path(),
        "values have encoding %d (expected 0, 2 or 8: plain or dictionary)",
        encoding);
    plain = in;
    indices = null;
    if (indexed && dictionary == null) {
      PageReader first = reader();
      PageReader.Page page = first.next();
      ThriftStruct.require(
          page.type() == PageReader.DICTIONARY, "a page needs a dictionary that is not there");
      dictionary(first, page);
      first.release();
    }
    if (indexed) { // a page that contains only nulls can be empty here
      indices = new RunLengthDecoder(in, in.hasRemaining() ? in.get() : 0);
    }
  }
}
