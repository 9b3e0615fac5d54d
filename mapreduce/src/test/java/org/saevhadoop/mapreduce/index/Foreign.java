package org.saevhadoop.mapreduce.index;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;

/** Indices as parquet-java writes and reads them without our code. */
final class Foreign {
  static final String SPARK =
      "message spark_schema { required binary tensor_key (STRING);"
          + " required binary file_name (STRING);"
          + " required group shape (LIST) { repeated group list { optional int32 element; } }"
          + " required binary dtype (STRING); }";

  private Foreign() {}

  static void write(Path folder, String schema, String codec, List<TensorIndexEntry> entries)
      throws IOException {
    write(folder, schema, codec, entries, builder -> builder);
  }

  static void write(
      Path folder,
      String schema,
      String codec,
      List<TensorIndexEntry> entries,
      UnaryOperator<ExampleParquetWriter.Builder> options)
      throws IOException {
    MessageType type = MessageTypeParser.parseMessageType(schema);
    Path file = folder.resolve(TensorIndex.NAME);
    Files.deleteIfExists(file);
    ExampleParquetWriter.Builder builder =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(type)
            .withCompressionCodec(CompressionCodecName.valueOf(codec));
    try (ParquetWriter<Group> writer = options.apply(builder).build()) {
      for (TensorIndexEntry entry : entries) {
        writer.write(row(type, entry));
      }
    }
  }

  private static Group row(MessageType type, TensorIndexEntry entry) {
    Group row = new SimpleGroup(type);
    row.add("tensor_key", entry.key());
    row.add("file_name", entry.file());
    Group shape = row.addGroup("shape");
    String list = type.getType("shape").asGroupType().getFieldName(0);
    String element = type.getType("shape").asGroupType().getType(0).asGroupType().getFieldName(0);
    for (long dimension : entry.shape()) {
      shape.addGroup(list).add(element, (int) dimension);
    }
    row.add("dtype", entry.dtype().name());
    return row;
  }

  /** The rows of our index as text. */
  static List<String> read(Path folder) throws IOException {
    List<String> rows = new ArrayList<>();
    Configuration conf = new Configuration(false);
    try (ParquetReader<Group> reader =
        ParquetReader.builder(
                new GroupReadSupport(),
                new org.apache.hadoop.fs.Path(folder.resolve(TensorIndex.NAME).toUri()))
            .withConf(conf)
            .build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        Group shape = row.getGroup("shape", 0);
        List<Long> dimensions = new ArrayList<>();
        for (int i = 0; i < shape.getFieldRepetitionCount("list"); i++) {
          dimensions.add((long) shape.getGroup("list", i).getInteger("element", 0));
        }
        rows.add(
            "%s %s %s %s %d %d %d"
                .formatted(
                    row.getString("tensor_key", 0),
                    row.getString("file_name", 0),
                    dimensions,
                    row.getString("dtype", 0),
                    row.getLong("begin", 0),
                    row.getLong("end", 0),
                    row.getLong("header_bytes", 0)));
      }
    }
    return rows;
  }
}
