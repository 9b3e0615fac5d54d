package org.saevhadoop.converters.parquet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ObjIntConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Parquet files of vectors, as parquet-java writes them. */
public final class Tables {
  static final String LIST =
      "optional group embedding (LIST) { repeated group list { optional float element; } }";

  static final String LISTS =
      "optional group embedding (LIST) { repeated group list {"
          + " optional group element (LIST) { repeated group list { optional float element; } } } }";

  private Tables() {}

  static Path write(Path file, String fields, int rows, ObjIntConsumer<Group> fill)
      throws IOException {
    return write(file, fields, rows, fill, builder -> builder);
  }

  static Path write(
      Path file,
      String fields,
      int rows,
      ObjIntConsumer<Group> fill,
      UnaryOperator<ExampleParquetWriter.Builder> options)
      throws IOException {
    MessageType type = MessageTypeParser.parseMessageType("message table { " + fields + " }");
    Files.createDirectories(file.getParent());
    try (ParquetWriter<Group> writer =
        options
            .apply(ExampleParquetWriter.builder(new LocalOutputFile(file)).withType(type))
            .build()) {
      for (int i = 0; i < rows; i++) {
        Group row = new SimpleGroup(type);
        fill.accept(row, i);
        writer.write(row);
      }
    }
    return file;
  }

  /** Returns the schema of a file. */
  static String schema(Path file) throws IOException {
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
      return reader.getFileMetaData().getSchema().toString();
    }
  }

  /** Writes a table of vectors with a text each. */
  public static Path texts(Path file, int rows) throws IOException {
    return write(
        file,
        LIST + " required binary text (STRING);",
        rows,
        (row, i) -> {
          list(row, "embedding", i, 3);
          row.append("text", "row " + i);
        });
  }

  /** Writes a table of a column for each layer, and a row for each example. */
  public static Path layers(Path file, int examples, int tokens, int dim, int... layers)
      throws IOException {
    String fields =
        IntStream.of(layers)
            .mapToObj(layer -> LISTS.replace("embedding", "layer_" + layer))
            .collect(Collectors.joining(" "));
    return write(
        file,
        fields,
        examples,
        (row, i) -> {
          for (int layer : layers) {
            lists(row, "layer_" + layer, i * 100 + layer, tokens, dim);
          }
        });
  }

  /** Adds a list of numbers that follow each other. */
  static void list(Group row, String field, float first, int length) {
    Group list = row.addGroup(field);
    for (int i = 0; i < length; i++) {
      list.addGroup("list").add("element", first + i);
    }
  }

  /** Adds a list of such lists. */
  static void lists(Group row, String field, float first, int lists, int length) {
    Group outer = row.addGroup(field);
    for (int i = 0; i < lists; i++) {
      list(outer.addGroup("list"), "element", first + i * length, length);
    }
  }

  /** Inserts an empty row group at the beginning, with offsets of 0, as pyarrow writes it. */
  static void prependEmptyGroup(Path file) throws IOException {
    changeGroups(file, (metadata, empty) -> metadata.getRow_groups().add(0, empty));
  }

  /** Replaces all row groups by an empty one. */
  static void leaveEmptyGroup(Path file) throws IOException {
    changeGroups(file, (metadata, empty) -> metadata.setNum_rows(0).setRow_groups(List.of(empty)));
  }

  private static void changeGroups(Path file, BiConsumer<FileMetaData, RowGroup> change)
      throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer end = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int footer = bytes.length - 8 - end.getInt(bytes.length - 8);
    FileMetaData metadata =
        Util.readFileMetaData(new ByteArrayInputStream(bytes, footer, bytes.length - 8 - footer));
    RowGroup empty = metadata.getRow_groups().get(0).deepCopy();
    empty.setNum_rows(0).setTotal_byte_size(0);
    for (ColumnChunk chunk : empty.getColumns()) {
      chunk.getMeta_data().setNum_values(0).setTotal_compressed_size(0);
      chunk.getMeta_data().setTotal_uncompressed_size(0).unsetDictionary_page_offset();
      chunk.getMeta_data().setData_page_offset(0);
    }
    change.accept(metadata, empty);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, footer);
    Util.writeFileMetaData(metadata, out);
    byte[] tail = new byte[8];
    ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).putInt(out.size() - footer);
    System.arraycopy(bytes, bytes.length - 4, tail, 4, 4);
    out.write(tail);
    Files.write(file, out.toByteArray());
  }
}
