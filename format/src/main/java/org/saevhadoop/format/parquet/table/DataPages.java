package org.saevhadoop.format.parquet.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.ByteWindows;
import org.saevhadoop.format.parquet.file.ChunkPages;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.PageReader;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.file.RunLengthDecoder;
import org.saevhadoop.format.parquet.file.ThriftStruct;

/** The pages of a column chunk, whose values are decoded with the dictionary of the chunk. */
final class DataPages {
  /** DuckDB writes pages of up to 100 MB; all other writers use pages of about 1 MiB. */
  private static final int MAX_PAGE_BYTES = 128 << 20;

  /** Share of the heap for the page, its decompressed content, and its values. */
  private static final double MEMORY_SHARE = 0.7;

  private static final int WINDOW = 64 << 10;
  private static final String NUMBER_ENCODINGS =
      "DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY or BYTE_STREAM_SPLIT";
  private static final String TEXT_ENCODINGS = "DELTA_LENGTH_BYTE_ARRAY or DELTA_BYTE_ARRAY";

  /** A page of data: levels, followed by values. */
  record DataPage(
      int count,
      int encoding,
      RunLengthDecoder repetitions,
      RunLengthDecoder definitions,
      ByteBuffer body) {}

  /** Reader of pages. */
  @FunctionalInterface
  interface Walk {
    /** Reads a page and returns whether to continue. */
    boolean page(DataPage page) throws IOException;
  }

  /** The strings of a page. */
  @FunctionalInterface
  interface Texts {
    String next() throws CharacterCodingException;
  }

  private final String path;
  private final TableColumn column;
  private final ChunkPages chunk;

  /** UTF-8 for strings; otherwise ISO 8859-1, in which each byte is one character. */
  private final Charset charset;

  private final MemoryAccount memory =
      new MemoryAccount((long) (Runtime.getRuntime().maxMemory() * MEMORY_SHARE), "its pages");
  private final PageReader pages;
  private final PageValues values;
  private ByteBuffer dictionary = ByteBuffer.allocate(0);
  private boolean hasDictionary;
  private TextDictionary texts;

  DataPages(Input in, TableColumn column, ChunkPages chunk) throws IOException {
    this.path = in.path();
    this.column = column;
    this.chunk = chunk;
    this.charset = column.isText() ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
    this.pages = new PageReader(new ByteWindows(in, 0, WINDOW, 1), chunk, MAX_PAGE_BYTES, memory);
    this.texts = new TextDictionary(PageTexts.NONE, charset, memory);
    this.values = new PageValues(column.width());
  }

  Charset charset() {
    return charset;
  }

  /** Charges memory for the current page. */
  void take(long bytes) {
    pages.take(bytes);
  }

  /** Reads the pages in order. */
  void walk(Walk walk) throws IOException {
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

  /** Decodes numbers from a page. */
  ByteBuffer decoded(DataPage page, int count) throws IOException {
    Optional<String> unread = values.unread(page.encoding);
    if (unread.isPresent()) {
      throw unread(unread.get(), NUMBER_ENCODINGS);
    }
    pages.take(values.memory(page.encoding, count));
    return values.decode(page.encoding, page.body, count, dictionary);
  }

  /** Decodes numbers from a page and converts them to the type of the column. */
  ByteBuffer elements(DataPage page, int count) throws IOException {
    ByteBuffer decoded = decoded(page, count);
    return column.width() > column.elements() * column.elementBytes()
        ? narrow(decoded, column.elementBytes())
        : decoded;
  }

  /** Drops the high bytes of integers that are stored in a larger Parquet type. */
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

  /** Decodes strings, or other values of any length, from a page. */
  Texts texts(DataPage page, int count) throws IOException {
    boolean isIndexed =
        page.encoding == PageReader.PLAIN_DICTIONARY || page.encoding == PageReader.RLE_DICTIONARY;
    if (isIndexed) {
      RunLengthDecoder indices = new RunLengthDecoder(page.body, count > 0 ? page.body.get() : 0);
      return () -> texts.get(indices.next());
    }
    if (!PageTexts.isRead(page.encoding)) {
      throw unread(PageValues.name(page.encoding), TEXT_ENCODINGS);
    }
    PageTexts own = PageTexts.of(page.body, page.encoding, count, pages);
    int[] next = {0};
    return () -> own.get(next[0]++, charset);
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
}
