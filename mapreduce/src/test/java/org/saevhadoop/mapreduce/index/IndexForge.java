package org.saevhadoop.mapreduce.index;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileWriter;

/**
 * Makes small Parquet files that claim much. All values of a column are equal: they are indices of
 * 0 bits into a dictionary, so that any number of them takes no space.
 */
public final class IndexForge {
  private static final int SHAPE = 2;
  private static final byte LIST_IN_FIELD_2 = 0x29;
  private static final byte MANY_STRUCTS = (byte) 0xfc;

  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final List<RowGroup> groups = new ArrayList<>();

  public IndexForge() {
    body.writeBytes(ParquetFileWriter.MAGIC);
  }

  /** Adds as many bytes that belong to no column. */
  public IndexForge pad(int bytes) {
    body.writeBytes(new byte[bytes]);
    return this;
  }

  /** Adds a row group of equal rows, several times over the same bytes. */
  public IndexForge equalRows(String key, String file, int rows, int times) throws IOException {
    return rows(plain(text(key)), file, 3, 1, rows, 1, times);
  }

  /** Adds a row with so many dimensions. */
  public IndexForge dimensions(String key, String file, int dimensions) throws IOException {
    return rows(plain(text(key)), file, 1, 1, 1, dimensions, 1);
  }

  /** Adds a row whose dictionary of keys is snappy for so many empty texts. */
  public IndexForge dictionary(String file, int texts) throws IOException {
    Dictionary zeros =
        new Dictionary(snappyZeros(4 * texts), 4 * texts, texts, CompressionCodec.SNAPPY);
    return rows(zeros, file, 3, 1, 1, 1, 1);
  }

  /** Adds a row whose dictionary of keys claims an unpacked size. */
  public IndexForge unpackedSize(String file, int bytes) throws IOException {
    Dictionary claim = new Dictionary(snappyZeros(4), bytes, 1, CompressionCodec.SNAPPY);
    return rows(claim, file, 3, 1, 1, 1, 1);
  }

  /** Adds equal rows after so many pages without values in each column. */
  public IndexForge emptyPages(String key, String file, int pages) throws IOException {
    return rows(plain(text(key)), file, 3, pages, 1, 1, 1);
  }

  private record Dictionary(byte[] packed, int unpacked, int values, CompressionCodec codec) {}

  private static Dictionary plain(byte[] value) {
    return new Dictionary(value, value.length, 1, CompressionCodec.UNCOMPRESSED);
  }

  private IndexForge rows(
      Dictionary keys, String file, int size, int pages, int rows, int dimensions, int times)
      throws IOException {
    List<Dictionary> columns =
        List.of(keys, plain(text(file)), plain(number(size)), plain(text("U8")));
    List<ColumnChunk> chunks = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      chunks.add(chunk(columns.get(i), i == SHAPE, pages - 1, rows, dimensions));
    }
    groups.addAll(Collections.nCopies(times, new RowGroup(chunks, 0, rows)));
    return this;
  }

  private ColumnChunk chunk(
      Dictionary dictionary, boolean isShape, int emptyPages, int rows, int dimensions)
      throws IOException {
    int start = body.size();
    PageHeader header =
        new PageHeader(PageType.DICTIONARY_PAGE, dictionary.unpacked(), dictionary.packed().length);
    header.setDictionary_page_header(new DictionaryPageHeader(dictionary.values(), Encoding.PLAIN));
    Util.writePageHeader(header, body);
    body.writeBytes(dictionary.packed());
    int dataStart = body.size();
    int values = isShape ? rows * dimensions : rows;
    for (int i = 0; i < emptyPages; i++) {
      data(0, new byte[0], dictionary.codec());
    }
    data(values, isShape ? levels(rows, dimensions) : new byte[0], dictionary.codec());
    ColumnMetaData metadata =
        new ColumnMetaData(
            isShape ? Type.INT32 : Type.BYTE_ARRAY,
            List.of(Encoding.RLE_DICTIONARY),
            List.of(),
            dictionary.codec(),
            values,
            0,
            body.size() - start,
            dataStart);
    metadata.setDictionary_page_offset(start);
    ColumnChunk chunk = new ColumnChunk(0);
    chunk.setMeta_data(metadata);
    return chunk;
  }

  private void data(int values, byte[] levels, CompressionCodec codec) throws IOException {
    byte[] plain = Arrays.copyOf(levels, levels.length + 1); // Indices of 0 bits.
    byte[] packed = codec == CompressionCodec.SNAPPY ? snappyLiteral(plain) : plain;
    PageHeader header = new PageHeader(PageType.DATA_PAGE, plain.length, packed.length);
    header.setData_page_header(
        new DataPageHeader(values, Encoding.RLE_DICTIONARY, Encoding.RLE, Encoding.RLE));
    Util.writePageHeader(header, body);
    body.writeBytes(packed);
  }

  /** Repetition levels of one row or of rows of one dimension, and definition levels. */
  private static byte[] levels(int rows, int dimensions) throws IOException {
    ByteArrayOutputStream repetitions = new ByteArrayOutputStream();
    run(repetitions, rows, 0);
    if (dimensions > 1) {
      run(repetitions, dimensions - 1, 1);
    }
    ByteArrayOutputStream definitions = new ByteArrayOutputStream();
    run(definitions, (long) rows * dimensions, 2);
    ByteArrayOutputStream levels = new ByteArrayOutputStream();
    levels.writeBytes(number(repetitions.size()));
    repetitions.writeTo(levels);
    levels.writeBytes(number(definitions.size()));
    definitions.writeTo(levels);
    return levels.toByteArray();
  }

  private static void run(ByteArrayOutputStream out, long count, int value) throws IOException {
    BytesUtils.writeUnsignedVarLong(count << 1, out);
    out.write(value);
  }

  private static byte[] text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(4 + utf8.length).put(number(utf8.length)).put(utf8).array();
  }

  private static byte[] number(int number) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
  }

  private static byte[] snappyLiteral(byte[] plain) {
    return ByteBuffer.allocate(2 + plain.length)
        .put((byte) plain.length)
        .put((byte) (plain.length - 1 << 2))
        .put(plain)
        .array();
  }

  /** A literal of one zero and copies of it. */
  private static byte[] snappyZeros(int size) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BytesUtils.writeUnsignedVarInt(size, out);
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
  public byte[] file() throws IOException {
    List<SchemaElement> schema =
        List.of(
            element("schema", FieldRepetitionType.REQUIRED).setNum_children(4),
            element("tensor_key", FieldRepetitionType.REQUIRED).setType(Type.BYTE_ARRAY),
            element("file_name", FieldRepetitionType.REQUIRED).setType(Type.BYTE_ARRAY),
            element("shape", FieldRepetitionType.REQUIRED).setNum_children(1),
            element("list", FieldRepetitionType.REPEATED).setNum_children(1),
            element("element", FieldRepetitionType.OPTIONAL).setType(Type.INT32),
            element("dtype", FieldRepetitionType.REQUIRED).setType(Type.BYTE_ARRAY));
    ByteArrayOutputStream footer = new ByteArrayOutputStream();
    Util.writeFileMetaData(new FileMetaData(1, schema, 1, groups), footer);
    return file(footer);
  }

  private static SchemaElement element(String name, FieldRepetitionType repetition) {
    return new SchemaElement(name).setRepetition_type(repetition);
  }

  /** Returns a file whose schema has so many elements, each of a byte. */
  public byte[] fileWithSchema(int elements) throws IOException {
    ByteArrayOutputStream footer = new ByteArrayOutputStream();
    footer.write(LIST_IN_FIELD_2);
    footer.write(MANY_STRUCTS);
    BytesUtils.writeUnsignedVarInt(elements, footer);
    footer.writeBytes(new byte[elements + 1]);
    return file(footer);
  }

  private byte[] file(ByteArrayOutputStream footer) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(body.toByteArray());
    out.writeBytes(footer.toByteArray());
    out.writeBytes(number(footer.size()));
    out.writeBytes(ParquetFileWriter.MAGIC);
    return out.toByteArray();
  }
}
