package org.saevhadoop.format.arrow.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowDictionaryBatch;
import org.apache.arrow.vector.ipc.message.ArrowFooter;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.DictionaryUtility;

/** Arrow files with dictionaries, extended and replaced, message by message. */
public final class DictionaryTables implements AutoCloseable {
  private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);

  private final BufferAllocator allocator = new RootAllocator();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final WriteChannel out = new WriteChannel(Channels.newChannel(bytes));
  private final Map<Long, Field> types = new TreeMap<>();
  private final List<ArrowBlock> dictionaries = new ArrayList<>();
  private final List<ArrowBlock> batches = new ArrayList<>();
  private final CompressionCodec codec;
  private final List<Field> fields;
  private final boolean isFile;
  private final Schema schema;

  /**
   * Begins a file.
   *
   * @param types the types of the values of the dictionaries, by their numbers
   */
  public DictionaryTables(ArrowTables.Form form, List<Field> fields, Map<Long, ArrowType> types)
      throws IOException {
    this.isFile = form.isFile();
    this.fields = fields;
    this.codec =
        form.codec() == CodecType.NO_COMPRESSION
            ? NoCompressionCodec.INSTANCE
            : CommonsCompressionFactory.INSTANCE.createCodec(form.codec());
    MapDictionaryProvider provider = new MapDictionaryProvider();
    types.forEach(
        (id, type) -> {
          this.types.put(id, ArrowTables.scalar("values", type));
          FieldVector none = this.types.get(id).createVector(allocator);
          provider.put(new Dictionary(none, new DictionaryEncoding(id, false, null)));
        });
    this.schema =
        new Schema(
            fields.stream()
                .map(field -> DictionaryUtility.toMessageFormat(field, provider, new HashSet<>()))
                .toList());
    if (isFile) {
      out.write(MAGIC);
      out.align();
    }
    MessageSerializer.serialize(out, schema);
  }

  /** Returns a column of the indexes of a dictionary. */
  public static Field column(String name, long id, ArrowType.Int index) {
    return new Field(
        name, new FieldType(true, index, new DictionaryEncoding(id, false, index)), List.of());
  }

  /** Adds a dictionary, or more values of one. */
  public DictionaryTables dictionary(long id, boolean isDelta, List<Object> values)
      throws IOException {
    try (ArrowRecordBatch batch = batch(List.of(types.get(id)), List.of(values));
        ArrowDictionaryBatch own = new ArrowDictionaryBatch(id, batch, isDelta)) {
      dictionaries.add(MessageSerializer.serialize(out, own));
    }
    return this;
  }

  /** Adds a record batch. */
  public DictionaryTables rows(List<List<Object>> columns) throws IOException {
    try (ArrowRecordBatch batch = batch(fields, columns)) {
      batches.add(MessageSerializer.serialize(out, batch));
    }
    return this;
  }

  private ArrowRecordBatch batch(List<Field> own, List<List<Object>> columns) {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(own), allocator)) {
      for (int i = 0; i < own.size(); i++) {
        ArrowTables.fill(root.getVector(i), columns.get(i));
      }
      root.setRowCount(columns.get(0).size());
      return new VectorUnloader(root, true, codec, true).getRecordBatch();
    }
  }

  /** Ends the file and returns it. */
  public byte[] end() throws IOException {
    out.writeIntLittleEndian(-1);
    out.writeIntLittleEndian(0);
    if (isFile) {
      long at = out.getCurrentPosition();
      out.write(new ArrowFooter(schema, dictionaries, batches), false);
      out.writeIntLittleEndian((int) (out.getCurrentPosition() - at));
      out.write(MAGIC);
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    allocator.close();
  }
}
