package org.saevhadoop.mapreduce.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.parquet.ParquetFormat;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.table.ColumnReader;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.testing.Allocation;

/** Files that claim what they do not have are refused in one line, with little memory. */
@Isolated
class HostileTablesTest {
  private static final long MAX_ALLOCATED = 48 << 20;
  private static final int ROWS = 8;
  private static final int LONG_TEXT = 1 << 19;

  @TempDir Path folder;

  /** A table of one list of two floats in each row, and what is wrong with it. */
  private static final class Table {
    private final FileMetaData meta = new FileMetaData();
    private final PageHeader page = new PageHeader();
    private final ColumnMetaData column = new ColumnMetaData();
    private byte[] dictionary = {};
    private byte[] body;

    Table() {
      SchemaElement root = new SchemaElement("root").setNum_children(1);
      SchemaElement list =
          new SchemaElement("v")
              .setRepetition_type(FieldRepetitionType.REPEATED)
              .setType(Type.FLOAT);
      column
          .setType(Type.FLOAT)
          .setEncodings(List.of(Encoding.PLAIN))
          .setPath_in_schema(List.of("v"));
      column.setCodec(CompressionCodec.UNCOMPRESSED).setNum_values(2 * ROWS);
      RowGroup group = new RowGroup();
      group.setNum_rows(ROWS).setTotal_byte_size(1);
      group.setColumns(new ArrayList<>(List.of(new ColumnChunk().setMeta_data(column))));
      meta.setVersion(1).setNum_rows(ROWS).setSchema(new ArrayList<>(List.of(root, list)));
      meta.setRow_groups(new ArrayList<>(List.of(group)));
      page.setType(PageType.DATA_PAGE);
      page.setData_page_header(
          new DataPageHeader(2 * ROWS, Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
      ByteBuffer bytes = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
      bytes.putInt(3).put(new byte[] {5, (byte) 0xaa, (byte) 0xaa}); // 16 levels 0, 1, ...
      bytes.putInt(2).put(new byte[] {2 * ROWS << 1, 1});
      for (int i = 0; i < 2 * ROWS; i++) {
        bytes.putFloat(i);
      }
      body = Arrays.copyOf(bytes.array(), bytes.position());
    }

    ColumnMetaData column() {
      return column;
    }

    RowGroup group() {
      return meta.getRow_groups().get(0);
    }

    SchemaElement element() {
      return meta.getSchema().get(1);
    }

    DataPageHeader data() {
      return page.getData_page_header();
    }

    /** Returns the file; sizes that are not set are those of the bytes. */
    byte[] bytes() throws IOException {
      ByteArrayOutputStream file = new ByteArrayOutputStream();
      file.writeBytes(ParquetFileWriter.MAGIC);
      long start = file.size();
      file.writeBytes(dictionary);
      if (!page.isSetCompressed_page_size()) {
        page.setCompressed_page_size(body.length);
      }
      if (!page.isSetUncompressed_page_size()) {
        page.setUncompressed_page_size(body.length);
      }
      Util.writePageHeader(page, file);
      file.writeBytes(body);
      if (!column().isSetData_page_offset()) {
        column().setData_page_offset(start);
      }
      if (!column().isSetTotal_compressed_size()) {
        column().setTotal_compressed_size(file.size() - start);
      }
      column().setTotal_uncompressed_size(1);
      int footer = file.size();
      Util.writeFileMetaData(meta, file);
      int length = file.size() - footer;
      file.writeBytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(length).array());
      file.writeBytes(ParquetFileWriter.MAGIC);
      return file.toByteArray();
    }
  }

  private static Arguments hostile(String name, Consumer<Table> change) {
    return Arguments.of(name, change);
  }

  private static void putInt(Table table, int at, int value) {
    ByteBuffer.wrap(table.body).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
  }

  static Stream<Arguments> footers() {
    return Stream.of(
        hostile("2^62 rows", t -> t.group().setNum_rows(1L << 62)),
        hostile("-1 rows", t -> t.group().setNum_rows(-1)),
        hostile("2^31 values", t -> t.column().setNum_values(1L << 31)),
        hostile("-1 values", t -> t.column().setNum_values(-1)),
        hostile("fewer values than rows", t -> t.column().setNum_values(3)),
        hostile("more values than pages", t -> t.column().setNum_values(100)),
        hostile("more rows than lists", t -> t.group().setNum_rows(ROWS + 1)),
        hostile("fewer rows than lists", t -> t.group().setNum_rows(ROWS - 1)),
        hostile("an offset behind the end", t -> t.column().setData_page_offset(1L << 40)),
        hostile("a negative offset", t -> t.column().setData_page_offset(-5)),
        hostile("an offset in the magic", t -> t.column().setData_page_offset(1)),
        hostile("2^62 bytes", t -> t.column().setTotal_compressed_size(1L << 62)),
        hostile("-1 bytes", t -> t.column().setTotal_compressed_size(-1)),
        hostile("a byte less than its page", t -> t.column().setTotal_compressed_size(90)),
        hostile("no bytes", t -> t.column().setTotal_compressed_size(0)),
        hostile("another type", t -> t.column().setType(Type.DOUBLE)),
        hostile("brotli", t -> t.column().setCodec(CompressionCodec.BROTLI)),
        hostile("no row group's columns", t -> t.group().setColumns(List.of())),
        hostile("the same bytes twice", t -> t.meta.addToRow_groups(t.group())),
        hostile(
            "columns elsewhere", t -> t.group().getColumns().get(0).setFile_path("/etc/passwd")),
        hostile("no schema", t -> t.meta.setSchema(List.of())),
        hostile("a schema without end", t -> t.element().setNum_children(1 << 30)),
        hostile("-1 children", t -> t.element().setNum_children(-1)),
        hostile(
            "a schema of 100 levels",
            t -> {
              t.meta.getSchema().remove(1);
              for (int i = 0; i < 100; i++) {
                t.meta.addToSchema(new SchemaElement("x").setNum_children(1));
              }
            }),
        hostile(
            "vectors of half an element",
            t -> {
              t.element().setType(Type.FIXED_LEN_BYTE_ARRAY).setType_length(3);
              t.column().setType(Type.FIXED_LEN_BYTE_ARRAY);
              t.meta.setKey_value_metadata(
                  List.of(new KeyValue("saev.vector.type").setValue("BF16")));
            }),
        hostile(
            "vectors of an unknown type",
            t -> {
              t.element().setType(Type.FIXED_LEN_BYTE_ARRAY).setType_length(4);
              t.column().setType(Type.FIXED_LEN_BYTE_ARRAY);
              t.meta.setKey_value_metadata(
                  List.of(new KeyValue("saev.vector.type").setValue("F\n7")));
            }),
        hostile(
            "integers of another size",
            t -> {
              t.element().setType(Type.INT64).setConverted_type(ConvertedType.INT_8);
              t.column().setType(Type.INT64);
            }));
  }

  static Stream<Arguments> pages() {
    return Stream.of(
        hostile("a page of 2 GB", t -> t.page.setCompressed_page_size(Integer.MAX_VALUE)),
        hostile("a page of -1 bytes", t -> t.page.setCompressed_page_size(-1)),
        hostile(
            "a page that unpacks to 2 GB",
            t -> t.page.setUncompressed_page_size(Integer.MAX_VALUE)),
        hostile("a page that unpacks to -1", t -> t.page.setUncompressed_page_size(-1)),
        hostile(
            "snappy of 1 GB",
            t -> {
              t.column().setCodec(CompressionCodec.SNAPPY);
              t.page.setUncompressed_page_size(1 << 30);
            }),
        hostile("noise in gzip", t -> t.column().setCodec(CompressionCodec.GZIP)),
        hostile("noise in lz4", t -> t.column().setCodec(CompressionCodec.LZ4_RAW)),
        hostile("another CRC", t -> t.page.setCrc(1)),
        hostile("2^31 - 1 values in a page", t -> t.data().setNum_values(Integer.MAX_VALUE)),
        hostile("-1 values in a page", t -> t.data().setNum_values(-1)),
        hostile("more values than its bytes", t -> t.body = Arrays.copyOf(t.body, 40)),
        hostile("levels of 2 GB", t -> putInt(t, 0, Integer.MAX_VALUE)),
        hostile("levels of -1 bytes", t -> putInt(t, 0, -1)),
        hostile("a first level within a row", t -> t.body[5] = (byte) 0xab),
        hostile("levels that are missing", t -> putInt(t, 0, 1)),
        hostile("a null", t -> t.body[12] = 0),
        hostile(
            "levels in the encoding before RLE",
            t -> t.data().setRepetition_level_encoding(Encoding.BIT_PACKED)),
        hostile("values of texts", t -> t.data().setEncoding(Encoding.DELTA_LENGTH_BYTE_ARRAY)),
        hostile("differences of floats", t -> t.data().setEncoding(Encoding.DELTA_BINARY_PACKED)),
        hostile("a dictionary that is missing", t -> t.data().setEncoding(Encoding.RLE_DICTIONARY)),
        hostile("a dictionary of 2^31 - 1", t -> dictionary(t, Integer.MAX_VALUE)),
        hostile("a dictionary of -1", t -> dictionary(t, -1)),
        hostile("a page header that is missing", t -> t.page.unsetData_page_header()),
        hostile(
            "levels that are longer than a page of version 2",
            t -> {
              t.page.setType(PageType.DATA_PAGE_V2).unsetData_page_header();
              t.page.setData_page_header_v2(
                  new DataPageHeaderV2(
                      16, 0, ROWS, Encoding.PLAIN, Integer.MAX_VALUE, Integer.MAX_VALUE));
            }));
  }

  private static void dictionary(Table table, int size) {
    dictionary(table, size, new byte[4]);
  }

  private static void dictionary(Table table, int size, byte[] values) {
    PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, values.length, values.length);
    header.setDictionary_page_header(new DictionaryPageHeader(size, Encoding.PLAIN));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      Util.writePageHeader(header, bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    bytes.writeBytes(values);
    table.dictionary = bytes.toByteArray();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"footers", "pages"})
  void aHostileFileIsRefusedInALine(String name, Consumer<Table> change) throws IOException {
    assertThat(read(new Table().bytes())).isEqualTo(2 * ROWS * Float.BYTES);
    Table table = new Table();
    change.accept(table);
    byte[] bytes = table.bytes();
    FormatException refused =
        catchThrowableOfType(
            FormatException.class, () -> Allocation.atMost(MAX_ALLOCATED, () -> read(bytes)));
    assertThat(refused).as(name).isNotNull();
    assertThat(refused.kind()).isInstanceOf(ParquetError.class);
    assertThat(refused.getMessage())
        .startsWith(folder.resolve("x.parquet") + ": ")
        .doesNotContain("\n");
  }

  /** Returns a table of vectors of 2^31 - 2 bytes. */
  private static void vectors(Table table) {
    table.element().setType(Type.FIXED_LEN_BYTE_ARRAY).setType_length(Integer.MAX_VALUE - 1);
    table.column().setType(Type.FIXED_LEN_BYTE_ARRAY);
    table.meta.setKey_value_metadata(List.of(new KeyValue("saev.vector.type").setValue("BF16")));
  }

  /** Has a list of 2^31 - 1 elements for each page in one row. */
  private static void listOfPages(Table table, int pages) {
    int values = Integer.MAX_VALUE;
    table.group().setNum_rows(1);
    table.column().setNum_values((long) pages * values);
    table.data().setNum_values(values);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < pages; i++) {
      ByteBuffer body = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
      byte[] run = {-2, -1, -1, -1, 15, 1}; // 2^31 - 1 times 1
      byte[] first = {2, 0, -4, -1, -1, -1, 15, 1};
      byte[] levels = i == 0 ? first : run;
      body.putInt(levels.length).put(levels).putInt(run.length).put(run);
      table.page.setCompressed_page_size(body.capacity());
      table.page.setUncompressed_page_size(body.capacity());
      try {
        if (i > 0) {
          Util.writePageHeader(table.page, all);
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      all.writeBytes(body.array());
    }
    table.body = all.toByteArray();
  }

  static Stream<Arguments> shapes() {
    return Stream.of(
        hostile(
            "2^34 rows of vectors of 2^31 - 2 bytes",
            t -> {
              vectors(t);
              t.element().setRepetition_type(FieldRepetitionType.REQUIRED);
              t.group().setNum_rows(1L << 34);
              t.column().setNum_values(1L << 34);
              t.body = new byte[1 << 19];
            }),
        hostile(
            "a row of 2^33 vectors of 2^31 - 2 bytes",
            t -> {
              vectors(t);
              listOfPages(t, 4);
            }),
        hostile("a row of 2^33 floats", t -> listOfPages(t, 4)));
  }

  /** They are refused before any value is read. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void aShapeThatCannotBeCountedIsRefusedInALine(String name, Consumer<Table> change)
      throws IOException {
    Table table = new Table();
    change.accept(table);
    Files.write(folder.resolve("x.parquet"), table.bytes());
    Location location = Location.of(new LocalFolder(folder));
    FormatException refused =
        catchThrowableOfType(
            FormatException.class,
            () ->
                Allocation.atMost(
                    MAX_ALLOCATED,
                    () ->
                        new ParquetFormat()
                            .stream().orElseThrow().prepare(location, Settings.NONE)));
    assertThat(refused).as(name).isNotNull();
    assertThat(refused.kind()).isEqualTo(ParquetError.LIMIT_EXCEEDED);
    assertThat(refused.getMessage())
        .startsWith(folder.resolve("x.parquet") + ": ")
        .doesNotContain("\n");
  }

  private int read(byte[] bytes) throws IOException {
    Files.write(folder.resolve("x.parquet"), bytes);
    int[] read = {0};
    try (Input in = new LocalFolder(folder).open("x.parquet")) {
      TableFooter footer = TableFooter.read(in);
      for (int i = 0; i < footer.columns().size(); i++) {
        for (int group = 0; group < footer.rowGroups().size(); group++) {
          long[] lengths = ColumnReader.firstRow(in, footer, group, i);
          new ColumnReader(in, footer, group, i, lengths)
              .read(elements -> read[0] += elements.remaining());
        }
      }
    }
    return read[0];
  }

  /** Returns a table of a text in each row. */
  private static Table texts(Encoding encoding, byte[] values) {
    Table table = new Table();
    table.element().setType(Type.BYTE_ARRAY).setConverted_type(ConvertedType.UTF8);
    table.element().setRepetition_type(FieldRepetitionType.REQUIRED);
    table.column().setType(Type.BYTE_ARRAY).setNum_values(ROWS);
    table.data().setNum_values(ROWS).setEncoding(encoding);
    table.body = values;
    return table;
  }

  private void readTexts(Table table, Consumer<String> sink) throws IOException {
    Files.write(folder.resolve("x.parquet"), table.bytes());
    try (Input in = new LocalFolder(folder).open("x.parquet")) {
      new ColumnReader(in, TableFooter.read(in), 0, 0, new long[0]).readTexts(sink::accept);
    }
  }

  @Test
  void textsInAnUnknownEncodingAreUnsupported() {
    Table table = texts(Encoding.BYTE_STREAM_SPLIT, new byte[64]);
    assertThatThrownBy(() -> readTexts(table, text -> {}))
        .asInstanceOf(InstanceOfAssertFactories.type(FormatException.class))
        .returns(ParquetError.UNSUPPORTED_PARQUET, FormatException::kind)
        .extracting(FormatException::getMessage, InstanceOfAssertFactories.STRING)
        .contains("BYTE_STREAM_SPLIT", "DELTA_LENGTH_BYTE_ARRAY or DELTA_BYTE_ARRAY");
  }

  @Test
  void aTextThatIsNotUtf8IsNamedWithItsRow() {
    ByteBuffer values = ByteBuffer.allocate(6 * ROWS).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < ROWS; i++) {
      values.putInt(2).put((byte) (i == 1 ? 0xff : 'a')).put((byte) 'b');
    }
    Table table = texts(Encoding.PLAIN, values.array());
    assertThatThrownBy(() -> readTexts(table, text -> {}))
        .asInstanceOf(InstanceOfAssertFactories.type(FormatException.class))
        .returns(ParquetError.BAD_PARQUET, FormatException::kind)
        .extracting(FormatException::getMessage, InstanceOfAssertFactories.STRING)
        .contains("column \"")
        .endsWith(
            "has a text that is not UTF-8, in row 1 (expected UTF-8, as the type of the column"
                + " requires)");
  }

  /** The memory for the text of a dictionary does not depend on the number of rows that have it. */
  @Test
  void aTextOfADictionaryIsReadOnce() throws IOException {
    int rows = 3000;
    ByteBuffer body = ByteBuffer.allocate(4);
    body.put((byte) 1).put(new byte[] {(byte) (rows << 1 & 0x7f | 0x80), (byte) (rows >> 6), 0});
    Table table = texts(Encoding.RLE_DICTIONARY, body.array());
    table.column().setNum_values(rows);
    table.meta.setNum_rows(rows);
    table.group().setNum_rows(rows);
    table.data().setNum_values(rows);
    ByteBuffer text = ByteBuffer.allocate(4 + LONG_TEXT).order(ByteOrder.LITTLE_ENDIAN);
    text.putInt(LONG_TEXT);
    dictionary(table, 1, text.array());
    long characters =
        Allocation.atMost(
            16L * LONG_TEXT,
            () -> {
              long[] read = {0};
              readTexts(table, found -> read[0] += found.length());
              return read[0];
            });
    assertThat(characters).isEqualTo((long) rows * LONG_TEXT);
  }
}
