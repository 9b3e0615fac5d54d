package org.saevhadoop.format.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes small Parquet files that claim much. All values of a column are equal: they are indices of
 * 0 bits into a dictionary, so that any number of them takes no space.
 */
public final class IndexForge {
  private static final int UNCOMPRESSED = 0;
  private static final int SNAPPY = 1;
  private static final int DICTIONARY_PAGE = 2;
  private static final int RLE_DICTIONARY = 8;
  private static final int INT32 = 1;
  private static final int BYTE_ARRAY = 6;
  private static final int REPEATED = 2;
  private static final int SHAPE = 2;
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final List<ThriftBytes> groups = new ArrayList<>();

  public IndexForge() {
    body.writeBytes(MAGIC);
  }

  /** Adds as many bytes that belong to no column. */
  public IndexForge pad(int bytes) {
    body.writeBytes(new byte[bytes]);
    return this;
  }

  /** Adds a row group of equal rows, several times over the same bytes. */
  public IndexForge equalRows(String key, String file, int rows, int times) {
    return rows(
        List.of(plain(text(key)), plain(text(file)), plain(number(3)), plain(text("U8"))),
        1,
        rows,
        1,
        times);
  }

  /** Adds a row with so many dimensions. */
  public IndexForge dimensions(String key, String file, int dimensions) {
    return rows(
        List.of(plain(text(key)), plain(text(file)), plain(number(1)), plain(text("U8"))),
        1,
        1,
        dimensions,
        1);
  }

  /** Adds a row whose dictionary of keys is snappy for so many empty texts. */
  public IndexForge dictionary(String file, int texts) {
    Dictionary zeros = new Dictionary(snappyZeros(4 * texts), 4 * texts, texts, SNAPPY);
    return rows(List.of(zeros, plain(text(file)), plain(number(3)), plain(text("U8"))), 1, 1, 1, 1);
  }

  /** Adds a row whose dictionary of keys claims an unpacked size. */
  public IndexForge unpackedSize(String file, int bytes) {
    Dictionary claim = new Dictionary(snappyZeros(4), bytes, 1, SNAPPY);
    return rows(List.of(claim, plain(text(file)), plain(number(3)), plain(text("U8"))), 1, 1, 1, 1);
  }

  /** Adds equal rows after so many pages without values in each column. */
  public IndexForge emptyPages(String key, String file, int pages) {
    return rows(
        List.of(plain(text(key)), plain(text(file)), plain(number(3)), plain(text("U8"))),
        pages,
        1,
        1,
        1);
  }

  private record Dictionary(byte[] packed, int unpacked, int values, int codec) {}

  private static Dictionary plain(byte[] value) {
    return new Dictionary(value, value.length, 1, UNCOMPRESSED);
  }

  private IndexForge rows(
      List<Dictionary> columns, int emptyPages, int rows, int dimensions, int times) {
    List<ThriftBytes> chunks = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      chunks.add(chunk(columns.get(i), i == SHAPE, emptyPages - 1, rows, dimensions));
    }
    for (int i = 0; i < times; i++) {
      groups.add(new ThriftBytes().structs(1, chunks).i64(3, rows));
    }
    return this;
  }

  private ThriftBytes chunk(
      Dictionary dictionary, boolean isShape, int emptyPages, int rows, int dimensions) {
    int start = body.size();
    page(
        new ThriftBytes()
            .i32(1, DICTIONARY_PAGE)
            .i32(2, dictionary.unpacked())
            .i32(3, dictionary.packed().length)
            .struct(7, new ThriftBytes().i32(1, dictionary.values()).i32(2, 0)),
        dictionary.packed());
    int dataStart = body.size();
    int values = isShape ? rows * dimensions : rows;
    for (int i = 0; i < emptyPages; i++) {
      data(0, new byte[0], dictionary.codec());
    }
    data(values, isShape ? levels(rows, dimensions) : new byte[0], dictionary.codec());
    int end = body.size();
    return new ThriftBytes()
        .struct(
            3,
            new ThriftBytes()
                .i32(1, isShape ? INT32 : BYTE_ARRAY)
                .i32(4, dictionary.codec())
                .i64(5, values)
                .i64(7, end - start)
                .i64(9, dataStart)
                .i64(11, start));
  }

  private void data(int values, byte[] levels, int codec) {
    byte[] plain = new byte[levels.length + 1]; // The width of the indices: 0 bits.
    System.arraycopy(levels, 0, plain, 0, levels.length);
    byte[] packed = codec == SNAPPY ? literal(plain) : plain;
    page(
        new ThriftBytes()
            .i32(1, 0)
            .i32(2, plain.length)
            .i32(3, packed.length)
            .struct(5, new ThriftBytes().i32(1, values).i32(2, RLE_DICTIONARY).i32(3, 3).i32(4, 3)),
        packed);
  }

  private void page(ThriftBytes header, byte[] bytes) {
    body.writeBytes(header.end());
    body.writeBytes(bytes);
  }

  /** Repetition levels of one row or of rows of one dimension, and definition levels. */
  private static byte[] levels(int rows, int dimensions) {
    ByteArrayOutputStream repetitions = new ByteArrayOutputStream();
    run(repetitions, rows, 0);
    if (dimensions > 1) {
      run(repetitions, dimensions - 1, 1);
    }
    ByteArrayOutputStream definitions = new ByteArrayOutputStream();
    run(definitions, (long) rows * dimensions, 2);
    return ByteBuffer.allocate(8 + repetitions.size() + definitions.size())
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(repetitions.size())
        .put(repetitions.toByteArray())
        .putInt(definitions.size())
        .put(definitions.toByteArray())
        .array();
  }

  private static void run(ByteArrayOutputStream out, long count, int value) {
    ThriftBytes.varint(out, count << 1);
    out.write(value);
  }

  private static byte[] text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(4 + utf8.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(utf8.length)
        .put(utf8)
        .array();
  }

  private static byte[] number(int number) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
  }

  private static byte[] literal(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ThriftBytes.varint(out, plain.length);
    out.write(plain.length - 1 << 2);
    out.writeBytes(plain);
    return out.toByteArray();
  }

  /** A literal of one zero and copies of it. */
  private static byte[] snappyZeros(int size) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ThriftBytes.varint(out, size);
    out.write(0);
    out.write(0);
    for (int left = size - 1; left > 0; left -= Math.min(left, 64)) {
      out.write(Math.min(left, 64) - 1 << 2 | 2);
      out.write(1);
      out.write(0);
    }
    return out.toByteArray();
  }

  /** Returns a file of these row groups. */
  public byte[] file() {
    return file(footer());
  }

  /** Returns a file whose schema has so many elements more, each of a byte. */
  public byte[] fileWithSchema(int elements) {
    return file(new ThriftBytes().i32(1, 1).emptyStructs(2, elements));
  }

  private byte[] file(ThriftBytes footer) {
    byte[] metadata = footer.end();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(body.toByteArray());
    out.writeBytes(metadata);
    out.writeBytes(number(metadata.length));
    out.writeBytes(MAGIC);
    return out.toByteArray();
  }

  private ThriftBytes footer() {
    List<ThriftBytes> schema =
        List.of(
            element("schema", 0).i32(5, 4),
            leaf("tensor_key", BYTE_ARRAY, 0),
            leaf("file_name", BYTE_ARRAY, 0),
            element("shape", 0).i32(5, 1),
            element("list", REPEATED).i32(5, 1),
            leaf("element", INT32, 1),
            leaf("dtype", BYTE_ARRAY, 0));
    return new ThriftBytes().i32(1, 1).structs(2, schema).i64(3, 1).structs(4, groups);
  }

  private static ThriftBytes element(String name, int repetition) {
    return new ThriftBytes().i32(3, repetition).binary(4, name.getBytes(StandardCharsets.US_ASCII));
  }

  private static ThriftBytes leaf(String name, int type, int repetition) {
    return new ThriftBytes()
        .i32(1, type)
        .i32(3, repetition)
        .binary(4, name.getBytes(StandardCharsets.US_ASCII));
  }
}
