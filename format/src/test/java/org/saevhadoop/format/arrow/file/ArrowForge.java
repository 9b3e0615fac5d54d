package org.saevhadoop.format.arrow.file;

import com.google.flatbuffers.FlatBufferBuilder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;

/** Streams of one column of lists of two floats, any number of which may be wrong. */
final class ArrowForge {
  static final int FLOAT = 3;
  static final int LIST = 12;
  static final int FIXED_SIZE_LIST = 16;
  static final int LARGE_LIST = 21;

  int version = 4;
  int endianness;
  int type = LIST;
  int leaf = FLOAT;
  int precision = 1;
  int listSize = 2;
  int children = 1;
  int depth = 1;
  int schemas = 1;
  int batches = 1;
  int kind = 3;
  int codec = -1;
  int continuation = -1;
  boolean isEnded = true;
  boolean isEncoded;
  long rows = 3;
  long[] nodes = {3, 0, 6, 0};

  /** Validity and offsets of the lists, validity and values. */
  long[] buffers = {0, 0, 0, 16, 0, 0, 16, 24};

  int[] offsets = {0, 2, 4, 6};
  long bodyLength = 40;
  int bodyBytes = 40;
  long messageSize = -1;
  byte[] trailing = {};

  /** A key of the metadata of messages; empty for none. */
  String key = "";

  /** What the body begins with instead of the offsets. */
  byte[] body = {};

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Returns a stream. */
  byte[] stream() {
    for (int i = 0; i < schemas; i++) {
      message(1, this::schema, 0, -1);
    }
    for (int i = 0; i < batches; i++) {
      batch();
    }
    if (isEnded) {
      out.writeBytes(ints(-1, 0));
    }
    out.writeBytes(trailing);
    return out.toByteArray();
  }

  private void batch() {
    message(kind, this::recordBatch, bodyLength, messageSize);
    ByteBuffer body = ByteBuffer.allocate(bodyBytes).order(ByteOrder.LITTLE_ENDIAN);
    body.put(this.body, 0, Math.min(this.body.length, bodyBytes));
    for (int i = this.body.length; i < offsets.length && body.remaining() >= Integer.BYTES; i++) {
      body.putInt(offsets[i]);
    }
    out.writeBytes(body.array());
  }

  /**
   * Returns a file whose footer has one block.
   *
   * @param block the offset, the length of the metadata and that of the body; null for the real
   *     ones
   * @param footerSize the size that the file states; negative for the real one
   */
  byte[] file(long[] block, int footerSize) {
    out.writeBytes("ARROW1\0\0".getBytes(StandardCharsets.US_ASCII));
    message(1, this::schema, 0, -1);
    long at = out.size();
    batch();
    long metadata = out.size() - at - bodyBytes;
    long[] real = block == null ? new long[] {at, metadata, bodyLength} : block;
    out.writeBytes(ints(-1, 0));
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int schema = schema(builder);
    Footer.startRecordBatchesVector(builder, 1);
    builder.prep(8, 24);
    builder.putLong(real[2]);
    builder.pad(4);
    builder.putInt((int) real[1]);
    builder.putLong(real[0]);
    int blocks = builder.endVector();
    Footer.startFooter(builder);
    Footer.addVersion(builder, (short) version);
    Footer.addSchema(builder, schema);
    Footer.addRecordBatches(builder, blocks);
    builder.finish(Footer.endFooter(builder));
    byte[] footer = builder.sizedByteArray();
    out.writeBytes(footer);
    out.writeBytes(ints(footerSize < 0 ? footer.length : footerSize));
    out.writeBytes("ARROW1".getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }

  private static byte[] ints(int... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.stream(values).forEach(bytes::putInt);
    return bytes.array();
  }

  private void message(
      int of, ToIntFunction<FlatBufferBuilder> header, long body, long statedSize) {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int table = header.applyAsInt(builder);
    int text = builder.createString(key);
    int pair = KeyValue.createKeyValue(builder, text, text);
    int metadata = Message.createCustomMetadataVector(builder, new int[] {pair});
    Message.startMessage(builder);
    Message.addVersion(builder, (short) version);
    Message.addHeaderType(builder, (byte) of);
    Message.addHeader(builder, table);
    Message.addBodyLength(builder, body);
    if (!key.isEmpty()) {
      Message.addCustomMetadata(builder, metadata);
    }
    builder.finish(Message.endMessage(builder));
    byte[] bytes = builder.sizedByteArray();
    int padded = (bytes.length + 7) / 8 * 8;
    int size = statedSize == -1 ? padded : (int) statedSize;
    out.writeBytes(continuation == -1 ? ints(-1, size) : ints(size));
    out.writeBytes(Arrays.copyOf(bytes, padded));
  }

  private int schema(FlatBufferBuilder builder) {
    int field = field(builder, "item", leaf, List.of());
    for (int i = 0; i < depth; i++) {
      List<Integer> below = new ArrayList<>();
      for (int j = 0; j < children; j++) {
        below.add(field); // shared
      }
      field = field(builder, "x", type, below);
    }
    int fields = Schema.createFieldsVector(builder, new int[] {field});
    Schema.startSchema(builder);
    Schema.addEndianness(builder, (short) endianness);
    Schema.addFields(builder, fields);
    return Schema.endSchema(builder);
  }

  private int field(FlatBufferBuilder builder, String name, int of, List<Integer> below) {
    int text = builder.createString(name);
    int parameters;
    if (of == FLOAT) {
      parameters = FloatingPoint.createFloatingPoint(builder, (short) precision);
    } else {
      parameters = FixedSizeList.createFixedSizeList(builder, listSize);
    }
    int list =
        Field.createChildrenVector(builder, below.stream().mapToInt(Integer::intValue).toArray());
    Field.startField(builder);
    Field.addName(builder, text);
    Field.addTypeType(builder, (byte) of);
    Field.addType(builder, parameters);
    Field.addChildren(builder, list);
    if (isEncoded) {
      Field.addDictionary(builder, parameters);
    }
    return Field.endField(builder);
  }

  private int recordBatch(FlatBufferBuilder builder) {
    int compression =
        codec < 0 ? 0 : BodyCompression.createBodyCompression(builder, (byte) codec, (byte) 0);
    RecordBatch.startNodesVector(builder, nodes.length / 2);
    for (int i = nodes.length - 2; i >= 0; i -= 2) {
      FieldNode.createFieldNode(builder, nodes[i], nodes[i + 1]);
    }
    int nodesAt = builder.endVector();
    RecordBatch.startBuffersVector(builder, buffers.length / 2);
    for (int i = buffers.length - 2; i >= 0; i -= 2) {
      Buffer.createBuffer(builder, buffers[i], buffers[i + 1]);
    }
    int buffersAt = builder.endVector();
    RecordBatch.startRecordBatch(builder);
    RecordBatch.addLength(builder, rows);
    RecordBatch.addNodes(builder, nodesAt);
    RecordBatch.addBuffers(builder, buffersAt);
    if (codec >= 0) {
      RecordBatch.addCompression(builder, compression);
    }
    return RecordBatch.endRecordBatch(builder);
  }
}
