package org.saevhadoop.mapreduce.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** A table of random columns, written by parquet-java in one of many ways. */
final class RandomTable {
  /** Types of Parquet, and the number of bytes of an element in the array. */
  private static final Map<String, Integer> TYPES =
      new LinkedHashMap<>(
          Map.ofEntries(
              Map.entry("float %s", 4),
              Map.entry("double %s", 8),
              Map.entry("fixed_len_byte_array(2) %s (FLOAT16)", 2),
              Map.entry("boolean %s", 1),
              Map.entry("int32 %s", 4),
              Map.entry("int64 %s", 8),
              Map.entry("int32 %s (INTEGER(8,true))", 1),
              Map.entry("int32 %s (INTEGER(16,false))", 2),
              Map.entry("int32 %s (UINT_32)", 4),
              Map.entry("int64 %s (INTEGER(64,false))", 8)));

  /** Forms of a column: {0} is the element, and the number of lists is that of "repeated". */
  private static final List<String> FORMS =
      List.of(
          "required {e}",
          "optional {e}",
          "repeated {e}",
          "optional group {n} (LIST) { repeated group list { optional {x}; } }",
          "required group {n} (LIST) { repeated group list { required {x}; } }",
          "optional group {n} (LIST) { repeated {x}; }",
          "optional group {n} (LIST) { repeated group list {"
              + " optional group element (LIST) { repeated group list { optional {x}; } } } }",
          "required group {n} (LIST) { repeated group array (LIST) { repeated {x}; } }");

  private final Random random;
  private final List<String> fields = new ArrayList<>();
  final List<Column> columns = new ArrayList<>();
  final List<String> texts = new ArrayList<>();

  final int rows;

  /**
   * A column.
   *
   * @param lengths the lengths of its lists
   * @param bytes the elements in C order
   */
  record Column(String name, String type, int width, int[] lengths, ByteBuffer bytes) {}

  RandomTable(Random random) {
    this.random = random;
    this.rows = 1 + random.nextInt(random.nextInt(5) == 0 ? 3000 : 100);
    List<String> types = TYPES.keySet().stream().sorted().toList();
    for (int i = 0; i < 1 + random.nextInt(4); i++) {
      String type = types.get(random.nextInt(types.size()));
      String form = FORMS.get(random.nextInt(FORMS.size()));
      String name = "c" + i;
      fields.add(
          form.replace("{e}", type.formatted(name))
                  .replace("{x}", type.formatted("element"))
                  .replace("{n}", name)
              + (form.contains("group") ? "" : ";"));
      int lists = form.split("repeated", -1).length - 1;
      int[] lengths = random.ints(lists, 1, 20).toArray();
      int elements = rows;
      for (int length : lengths) {
        elements *= length;
      }
      int width = TYPES.get(type);
      columns.add(
          new Column(
              name,
              type,
              width,
              lengths,
              ByteBuffer.allocate(elements * width).order(ByteOrder.LITTLE_ENDIAN)));
    }
    fields.add(random.nextInt(fields.size() + 1), "optional binary text (STRING);");
    fields.add("optional group map { required int32 a; optional double b; }");
  }

  String schema() {
    return "message table { " + String.join(" ", fields) + " }";
  }

  /** Writes the table, and returns how. */
  String write(Path file) throws IOException {
    MessageType type = MessageTypeParser.parseMessageType(schema());
    String codec = List.of("UNCOMPRESSED", "SNAPPY", "GZIP").get(random.nextInt(3));
    WriterVersion version = WriterVersion.values()[random.nextInt(2)];
    boolean dictionary = random.nextBoolean();
    boolean split = random.nextBoolean();
    int page = random.nextBoolean() ? 200 : 1 << 20;
    long group = random.nextBoolean() ? 2000 : 1 << 27;
    boolean few = random.nextBoolean();
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(type)
            .withCompressionCodec(CompressionCodecName.valueOf(codec))
            .withWriterVersion(version)
            .withDictionaryEncoding(dictionary)
            .withByteStreamSplitEncoding(split)
            .withPageSize(page)
            .withRowGroupSize(group)
            .withMinRowCountForPageSizeCheck(1)
            .withPageRowCountLimit(random.nextBoolean() ? 7 : 20_000)
            .withPageWriteChecksumEnabled(random.nextBoolean())
            .build()) {
      for (int i = 0; i < rows; i++) {
        Group row = new SimpleGroup(type);
        for (Column column : columns) {
          add(row, column, few);
        }
        String text = random.nextBoolean() ? null : "text " + (few ? i % 3 : i);
        if (text != null) {
          row.add("text", text);
        }
        texts.add(text);
        writer.write(row);
      }
    }
    columns.forEach(column -> column.bytes.flip());
    return "%s %s dictionary=%s split=%s page=%d group=%d %s"
        .formatted(codec, version, dictionary, split, page, group, schema());
  }

  private void add(Group row, Column column, boolean few) {
    int[] lengths = column.lengths;
    if (lengths.length == 0) {
      value(row, column.name, column, few);
      return;
    }
    boolean isList = fields.stream().anyMatch(f -> f.contains("group " + column.name + " "));
    Group list = isList ? row.addGroup(column.name) : row;
    for (int i = 0; i < lengths[0]; i++) {
      element(list, isList ? list.getType().getFieldName(0) : column.name, column, 1, few);
    }
  }

  private void element(Group list, String repeated, Column column, int level, boolean few) {
    if (list.getType().getType(repeated).isPrimitive()) {
      value(list, repeated, column, few);
      return;
    }
    Group item = list.addGroup(repeated);
    if (item.getType().getFieldName(0).equals("element") && !isGroup(item, "element")) {
      if (level == column.lengths.length) {
        value(item, "element", column, few);
      } else { // repeated group array (LIST) { repeated element }
        for (int i = 0; i < column.lengths[level]; i++) {
          value(item, "element", column, few);
        }
      }
      return;
    }
    Group inner = item.addGroup("element");
    for (int i = 0; i < column.lengths[level]; i++) {
      element(inner, "list", column, level + 1, few);
    }
  }

  private static boolean isGroup(Group group, String field) {
    return !group.getType().getType(field).isPrimitive();
  }

  private void value(Group to, String field, Column column, boolean few) {
    long bits = few ? random.nextInt(5) : random.nextLong();
    if (few && random.nextInt(50) == 0) {
      bits = -random.nextInt(1000);
    }
    switch (column.type.split("[ (]")[0]) {
      case "float" -> { // parquet-java changes some bits of NaN where it writes no dictionary
        float number = few ? bits : Float.intBitsToFloat((int) bits);
        to.add(field, Float.isNaN(number) ? Float.NaN : number);
        column.bytes.putInt(Float.floatToIntBits(number));
      }
      case "double" -> {
        double number = Double.longBitsToDouble(bits);
        to.add(field, Double.isNaN(number) ? Double.NaN : number);
        column.bytes.putLong(Double.doubleToLongBits(number));
      }
      case "fixed_len_byte_array" -> {
        byte[] half = {(byte) bits, (byte) (bits >> 8)};
        to.add(field, Binary.fromConstantByteArray(half));
        column.bytes.put(half);
      }
      case "boolean" -> {
        to.add(field, (bits & 1) == 1);
        column.bytes.put((byte) (bits & 1));
      }
      case "int32" -> {
        int shift = 32 - 8 * column.width;
        int number =
            column.type.contains("false")
                ? (int) bits << shift >>> shift
                : (int) bits << shift >> shift;
        to.add(field, number);
        for (int i = 0; i < column.width; i++) {
          column.bytes.put((byte) (number >> 8 * i));
        }
      }
      default -> {
        to.add(field, bits);
        column.bytes.putLong(bits);
      }
    }
  }
}
