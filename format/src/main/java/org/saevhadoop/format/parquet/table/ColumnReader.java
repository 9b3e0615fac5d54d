package org.saevhadoop.format.parquet.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.ByteWindows;
import org.saevhadoop.format.parquet.file.ChunkPages;
import org.saevhadoop.format.parquet.file.GuardedRead;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.PageReader;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.file.ParquetLimits;
import org.saevhadoop.format.parquet.file.RunLengthDecoder;
import org.saevhadoop.format.parquet.file.ThriftStruct;
import org.saevhadoop.format.tensor.DType;

/**
 * Reads a column of a row group as one array, page by page. Lists must have one length and no
 * nulls, so that the values of a page are a part of the array.
 */
public final class ColumnReader {
  /** DuckDB writes pages of up to 100 MB; all other writers use pages of about 1 MiB. */
  private static final int MAX_PAGE_BYTES = 128 << 20;

  /** Maximum number of elements of a row, which is one array. */
  private static final long MAX_ROW_ELEMENTS = Integer.MAX_VALUE;

  /** Share of the heap for the page, its decompressed content, and its values. */
  private static final double MEMORY_SHARE = 0.7;

  private static final int WINDOW = 64 << 10;
  private static final String NUMBER_ENCODINGS =
      "DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY or BYTE_STREAM_SPLIT";
  private static final String TEXT_ENCODINGS = "DELTA_LENGTH_BYTE_ARRAY or DELTA_BYTE_ARRAY";

  /** Receiver of the elements of a column. */
  @FunctionalInterface
  public interface Sink {
    /** Accepts the next elements, little-endian, in a buffer that must not be kept. */
    void accept(ByteBuffer elements) throws IOException;
  }

  /** Receiver of the integers of a column. */
  @FunctionalInterface
  public interface IntegerSink {
    /**
     * Accepts the next integer.
     *
     * @param isPresent whether the row has an integer rather than a null
     */
    void accept(boolean isPresent, long number) throws IOException;
  }

  private final String path;
  private final TableColumn column;
  private final ChunkPages chunk;

  /** Of bytes that are not texts, each is a character. */
  private final Charset charset;

  private final MemoryAccount memory =
      new MemoryAccount((long) (Runtime.getRuntime().maxMemory() * MEMORY_SHARE), "its pages");
  private final PageReader pages;
  private final PageValues values;
  private final ListLengths lengths;
  private final long rows;
  private ByteBuffer dictionary = ByteBuffer.allocate(0);
  private boolean hasDictionary;
  private TextDictionary texts;

  /**
   * Creates a reader.
   *
   * @param group the index of the row group
   * @param index the index of the column in the footer
   * @param lengths the expected lengths of the lists of each level; 0 to use the first length
   */
  public ColumnReader(Input in, TableFooter footer, int group, int index, long[] lengths)
      throws IOException {
    this.path = in.path();
    this.column = footer.columns().get(index);
    this.chunk = footer.rowGroups().get(group).chunks().get(index);
    this.charset = column.isText() ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
    this.rows = footer.rowGroups().get(group).rows();
    this.pages = new PageReader(new ByteWindows(in, 0, WINDOW, 1), chunk, MAX_PAGE_BYTES, memory);
    this.texts = new TextDictionary(PageTexts.NONE, charset, memory);
    this.values = new PageValues(column.width());
    this.lengths = new ListLengths(path, column.name(), footer.rowsBefore(group), lengths);
  }

  /** Reads all elements. */
  public void read(Sink sink) throws IOException {
    guarded(
        () -> {
          readAll(sink);
          return sink;
        });
  }

  /** Allows the outermost lists to differ in length. */
  public ColumnReader ragged() {
    lengths.setOutermost(length -> {});
    return this;
  }

  /** Reads only the lengths of the outermost lists. */
  public void readLengths(LongConsumer sink) throws IOException {
    lengths.setOutermost(sink);
    guarded(
        () -> {
          walk(page -> levels(page, Long.MAX_VALUE) == page.count);
          lengths.end();
          ThriftStruct.require(
              lengths.rows() == rows, "a column and its row group have different numbers of rows");
          return sink;
        });
  }

  private void readAll(Sink sink) throws IOException {
    long[] found = {0};
    walk(
        page -> {
          found[0] += page.count;
          ThriftStruct.require(found[0] <= chunk.values(), "a column has too many values");
          levels(page, Long.MAX_VALUE);
          sink.accept(elements(page));
          return true;
        });
    lengths.end();
    ThriftStruct.require(
        found[0] == chunk.values() && lengths.rows() == rows,
        "a column and its row group have different numbers of values");
  }

  /** Returns whether no value is null, and no list is empty. */
  public boolean isComplete() throws IOException {
    boolean[] isComplete = {true};
    guarded(
        () -> {
          walk(
              page -> {
                isComplete[0] = present(page) == page.count;
                return isComplete[0];
              });
          return isComplete;
        });
    return isComplete[0];
  }

  /** Reads the lengths of the lists of the first row, from the outermost. */
  public static long[] firstRow(Input in, TableFooter footer, int group, int index)
      throws IOException {
    long[] found = new long[footer.columns().get(index).lists()];
    ColumnReader reader = new ColumnReader(in, footer, group, index, found);
    reader.guarded(
        () -> {
          reader.walk(page -> reader.levels(page, 1) == page.count);
          reader.lengths.end();
          long elements = reader.column.elements();
          for (long length : found) {
            ParquetLimits.check(length, MAX_ROW_ELEMENTS / elements, "elements in a list");
            elements *= length;
          }
          return found;
        });
    return found;
  }

  /**
   * Reads integers of four or eight bytes, one a row.
   *
   * @param absent the number for a null
   */
  public void readIntegers(long absent, LongConsumer sink) throws IOException {
    readIntegers((isPresent, number) -> sink.accept(isPresent ? number : absent));
  }

  /** Reads integers of four or eight bytes, one a row. */
  public void readIntegers(IntegerSink sink) throws IOException {
    readRows(
        (page, isPresent) -> {
          ThriftStruct.require(
              column.isInteger(),
              "column %s has no integers, but %s"
                  .formatted(Names.shown(column.name()), column.dtype()));
          ByteBuffer present = decoded(page, isPresent.cardinality());
          for (int i = 0; i < page.count; i++) {
            sink.accept(isPresent.get(i), isPresent.get(i) ? integer(present) : 0);
          }
        });
  }

  /** Reads integers of four or eight bytes in lists, which must have no nulls. */
  public void readListedIntegers(LongConsumer sink) throws IOException {
    guarded(
        () -> {
          ThriftStruct.require(
              column.isListOfIntegers(),
              "column %s has no lists of integers".formatted(Names.shown(column.name())));
          readAll(
              elements -> {
                while (elements.hasRemaining()) {
                  sink.accept(integer(elements));
                }
              });
          return sink;
        });
  }

  private long integer(ByteBuffer values) throws FormatException {
    if (column.width() == Integer.BYTES) {
      int value = values.getInt();
      return column.dtype() == DType.U32 ? Integer.toUnsignedLong(value) : value;
    }
    long value = values.getLong();
    if (value < 0 && column.dtype() == DType.U64) {
      throw ParquetError.UNSUPPORTED_PARQUET.in(
          path,
          "column \"%s\" has the integer %s (expected at most %d)",
          Names.shown(column.name()),
          Long.toUnsignedString(value),
          Long.MAX_VALUE);
    }
    return value;
  }

  /**
   * Reads a value that is not a text for each row: a buffer at the stored value, which is
   * little-endian, or one byte for a boolean; null for a null.
   */
  public void readScalars(Consumer<@Nullable ByteBuffer> sink) throws IOException {
    ThriftStruct.require(!column.isArray() && !column.isText(), "a column has no numbers");
    if (column.isBytes()) {
      readBytes(
          bytes -> sink.accept(bytes == null ? null : ByteBuffer.wrap(bytes.getBytes(charset))));
      return;
    }
    int bytes = Math.max(1, column.width());
    readRows(
        (page, isPresent) -> {
          ByteBuffer present = decoded(page, isPresent.cardinality());
          for (int i = 0; i < page.count; i++) {
            sink.accept(isPresent.get(i) ? present : null);
            present.position(present.position() + (isPresent.get(i) ? bytes : 0));
          }
        });
  }

  /** Reads a value of any length as a text for each row; null for a null. */
  public void readTexts(Consumer<@Nullable String> sink) throws IOException {
    guarded(
        () -> {
          ThriftStruct.require(column.isText(), "a column has no texts");
          readBytes(sink);
          return sink;
        });
  }

  /** Reads values of any length as texts; null for a null. */
  private void readBytes(Consumer<@Nullable String> sink) throws IOException {
    readRows(
        (page, isPresent) -> {
          int count = isPresent.cardinality();
          boolean isIndexed =
              page.encoding == PageReader.PLAIN_DICTIONARY
                  || page.encoding == PageReader.RLE_DICTIONARY;
          if (!isIndexed && !PageTexts.isRead(page.encoding)) {
            throw unread(PageValues.name(page.encoding), TEXT_ENCODINGS);
          }
          PageTexts own =
              isIndexed ? PageTexts.NONE : PageTexts.of(page.body, page.encoding, count, pages);
          RunLengthDecoder indices =
              new RunLengthDecoder(page.body, isIndexed && count > 0 ? page.body.get() : 0);
          for (int i = 0, next = 0; i < page.count; i++) {
            if (!isPresent.get(i)) {
              sink.accept(null);
            } else {
              sink.accept(isIndexed ? texts.get(indices.next()) : own.get(next++, charset));
            }
          }
        });
  }

  /** Receiver of the rows of a page, some of which can be null. */
  @FunctionalInterface
  private interface Rows {
    void read(DataPage page, BitSet isPresent) throws IOException;
  }

  private void readRows(Rows sink) throws IOException {
    guarded(
        () -> {
          ThriftStruct.require(column.lists() == 0, "a column has lists");
          long[] found = {0};
          walk(
              page -> {
                found[0] += page.count;
                ThriftStruct.require(found[0] <= rows, "a column has too many values");
                pages.take(page.count);
                BitSet isPresent = new BitSet(page.count);
                for (int i = 0; i < page.count; i++) {
                  isPresent.set(
                      i,
                      column.definition() == 0 || page.definitions.next() == column.definition());
                }
                sink.read(page, isPresent);
                return true;
              });
          ThriftStruct.require(found[0] == rows, "a column has too few values");
          return sink;
        });
  }

  private <T> void guarded(GuardedRead.Step<T> step) throws IOException {
    GuardedRead.of(path, step);
  }

  /** A page of data: levels, followed by values. */
  private record DataPage(
      int count,
      int encoding,
      RunLengthDecoder repetitions,
      RunLengthDecoder definitions,
      ByteBuffer body) {}

  @FunctionalInterface
  private interface Walk {
    /** Reads a page, and returns whether to continue. */
    boolean page(DataPage page) throws IOException;
  }

  private void walk(Walk walk) throws IOException {
    boolean isWanted = true;
    while (isWanted && pages.hasNext()) {
      PageReader.Page page = pages.next();
      switch (page.type()) {
        case PageReader.DICTIONARY -> dictionary(page);
        case PageReader.DATA -> isWanted = walk.page(first(page));
        case PageReader.DATA_V2 -> isWanted = walk.page(second(page));
        default -> { // no writer uses index pages
        }
      }
    }
    pages.release();
  }

  private void dictionary(PageReader.Page page) throws IOException {
    ThriftStruct.require(!hasDictionary, "a column chunk has two dictionaries");
    int size = page.header().required(7, "a dictionary page has no header").integer(1);
    ThriftStruct.require(size >= 0, "a dictionary has a negative size");
    ByteBuffer in = pages.unpack(page.body(), page.unpackedBytes());
    ThriftStruct.require(size <= (long) in.remaining() * 8, "a dictionary is longer than its page");
    hasDictionary = true;
    if (column.isBytes()) {
      texts = new TextDictionary(PageTexts.ofDictionary(in, size, memory), charset, memory);
      return;
    }
    memory.take(values.bytes(size));
    ByteBuffer decoded = values.decode(PageReader.PLAIN, in, size, dictionary);
    ByteBuffer kept = ByteBuffer.allocate(decoded.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    dictionary = kept.put(decoded).flip();
  }

  private DataPage first(PageReader.Page page) {
    ThriftStruct data = page.header().required(5, "a data page has no header");
    ByteBuffer in = pages.unpack(page.body(), page.unpackedBytes());
    return new DataPage(
        count(data),
        data.integer(2),
        PageReader.levels(in, column.lists(), data.integer(4)),
        PageReader.levels(in, column.definition(), data.integer(3)),
        in);
  }

  private DataPage second(PageReader.Page page) {
    ThriftStruct data = page.header().required(8, "a data page has no header");
    ByteBuffer in = page.body();
    int levels = Math.addExact(data.integer(5), data.integer(6));
    RunLengthDecoder repetitions = PageReader.sizedLevels(in, column.lists(), data.integer(6));
    RunLengthDecoder definitions = PageReader.sizedLevels(in, column.definition(), data.integer(5));
    boolean isPacked = !data.has(7) || data.isTrue(7);
    int size = page.unpackedBytes() - levels;
    ByteBuffer body = isPacked ? pages.unpack(in, size) : in;
    return new DataPage(count(data), data.integer(4), repetitions, definitions, body);
  }

  private int count(ThriftStruct data) {
    int count = data.integer(1);
    ThriftStruct.require(
        count >= 0 && count <= chunk.values(), "a page has more values than its column chunk");
    return count;
  }

  /** Reads the levels of some rows of a page, and returns the number of their values. */
  private int levels(DataPage page, long maxRows) throws IOException {
    int present = present(page);
    int count = present < page.count ? present + 1 : present;
    int read = lengths.read(page.repetitions, count, maxRows);
    if (read > present) {
      throw lengths.absent();
    }
    return read;
  }

  /** Returns the number of values before the first one that is null or an empty list. */
  private int present(DataPage page) {
    if (column.definition() == 0) {
      return page.count;
    }
    for (int i = 0; i < page.count; i++) {
      if (page.definitions.next() != column.definition()) {
        return i;
      }
      i += page.definitions.skipEqual(page.count - i - 1);
    }
    return page.count;
  }

  private ByteBuffer elements(DataPage page) throws IOException {
    ByteBuffer decoded = decoded(page, page.count);
    return column.width() > column.elements() * column.elementBytes()
        ? narrow(decoded, column.elementBytes())
        : decoded;
  }

  private ByteBuffer decoded(DataPage page, int count) throws IOException {
    Optional<String> unread = values.unread(page.encoding);
    if (unread.isPresent()) {
      throw unread(unread.get(), NUMBER_ENCODINGS);
    }
    pages.take(values.memory(page.encoding, count));
    return values.decode(page.encoding, page.body, count, dictionary);
  }

  private FormatException unread(String encoding, String expected) {
    return ParquetError.UNSUPPORTED_PARQUET.in(
        path,
        "column \"%s\" has values in encoding %s, which is not read (expected PLAIN, a dictionary,"
            + " %s)",
        Names.shown(column.name()),
        encoding,
        expected);
  }

  /** Drops the high bytes of integers that are stored in a larger type of Parquet. */
  private static ByteBuffer narrow(ByteBuffer wide, int bytes) {
    ByteBuffer narrow =
        ByteBuffer.allocate(wide.remaining() / 4 * bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = wide.position(); i < wide.limit(); i += 4) {
      for (int b = 0; b < bytes; b++) {
        narrow.put(wide.get(i + b));
      }
    }
    return narrow.flip();
  }
}
