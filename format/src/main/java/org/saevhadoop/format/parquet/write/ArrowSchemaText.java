package org.saevhadoop.format.parquet.write;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import org.saevhadoop.format.parquet.write.ColumnSchema.Physical;

/**
 * The schema that Arrow's readers find in the metadata of a file. It declares lists of equal length
 * as fixed-size lists. The numbers are defined in Schema.fbs and Message.fbs of apache/arrow.
 */
public final class ArrowSchemaText {
  public static final String KEY = "ARROW:schema";

  private static final int CONTINUATION = -1;
  private static final int ALIGNMENT = 8;
  private static final short VERSION_5 = 4;
  private static final byte SCHEMA_MESSAGE = 1;
  private static final byte INT = 2;
  private static final byte FLOATING_POINT = 3;
  private static final byte UTF8 = 5;
  private static final byte FIXED_SIZE_BINARY = 15;
  private static final byte FIXED_SIZE_LIST = 16;
  private static final short SINGLE = 1;
  private static final short DOUBLE = 2;

  private final FlatBufferBuilder builder = new FlatBufferBuilder(1024);

  private ArrowSchemaText() {}

  /** Returns an encapsulated IPC message as Base64. */
  static String text(List<ColumnSchema> columns) {
    byte[] message = new ArrowSchemaText().message(columns);
    int padded = (message.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    ByteBuffer bytes =
        ByteBuffer.allocate(2 * Integer.BYTES + padded)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(CONTINUATION)
            .putInt(padded)
            .put(message);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  private byte[] message(List<ColumnSchema> columns) {
    int fields = vector(columns.stream().mapToInt(this::column).toArray());
    builder.startTable(4);
    builder.addOffset(1, fields, 0);
    int schema = builder.endTable();
    builder.startTable(5);
    builder.addOffset(2, schema, 0);
    builder.addShort(0, VERSION_5, 0);
    builder.addByte(1, SCHEMA_MESSAGE, 0);
    builder.finish(builder.endTable());
    return builder.sizedByteArray();
  }

  private int column(ColumnSchema column) {
    return column(column, column.name(), 0);
  }

  /** Adds the field of a column, or of the elements of its lists at a given depth. */
  private int column(ColumnSchema column, String name, int depth) {
    if (depth < column.lists().size()) {
      int element = column(column, "element", depth + 1);
      return field(name, false, FIXED_SIZE_LIST, size(column.lists().get(depth)), vector(element));
    }
    return switch (column.type()) {
      case FIXED -> field(name, false, FIXED_SIZE_BINARY, size(column.bytes()), vector());
      case BYTE_ARRAY -> field(name, column.isOptional(), UTF8, empty(), vector());
      default -> number(name, column.type(), column.isOptional());
    };
  }

  private int number(String name, Physical type, boolean nullable) {
    boolean floats = type == Physical.FLOAT || type == Physical.DOUBLE;
    builder.startTable(floats ? 1 : 2);
    if (floats) {
      builder.addShort(0, type == Physical.FLOAT ? SINGLE : DOUBLE, 0);
    } else {
      builder.addInt(0, type == Physical.INT32 ? Integer.SIZE : Long.SIZE, 0);
      builder.addBoolean(1, true, false);
    }
    int table = builder.endTable();
    return field(name, nullable, floats ? FLOATING_POINT : INT, table, vector());
  }

  private int size(int size) {
    builder.startTable(1);
    builder.addInt(0, size, 0);
    return builder.endTable();
  }

  private int empty() {
    builder.startTable(0);
    return builder.endTable();
  }

  private int field(String name, boolean nullable, byte kind, int type, int children) {
    int text = builder.createString(name);
    builder.startTable(7);
    builder.addOffset(0, text, 0);
    builder.addOffset(3, type, 0);
    builder.addOffset(5, children, 0);
    builder.addBoolean(1, nullable, false);
    builder.addByte(2, kind, 0);
    return builder.endTable();
  }

  private int vector(int... offsets) {
    builder.startVector(Integer.BYTES, offsets.length, Integer.BYTES);
    for (int i = offsets.length - 1; i >= 0; i--) {
      builder.addOffset(offsets[i]);
    }
    return builder.endVector();
  }
}
