package org.saevhadoop.format.parquet;

import java.io.ByteArrayOutputStream;
import java.util.List;

/** Writes a struct in the Thrift compact protocol. Fields must ascend. */
final class ThriftBytes {
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int STRUCT = 12;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int last;

  private void head(int field, int type) {
    out.write(field - last << 4 | type);
    last = field;
  }

  ThriftBytes i32(int field, long value) {
    head(field, I32);
    varint(out, value << 1 ^ value >> 63);
    return this;
  }

  ThriftBytes i64(int field, long value) {
    head(field, I64);
    varint(out, value << 1 ^ value >> 63);
    return this;
  }

  ThriftBytes binary(int field, byte[] value) {
    head(field, BINARY);
    varint(out, value.length);
    out.writeBytes(value);
    return this;
  }

  ThriftBytes struct(int field, ThriftBytes value) {
    head(field, STRUCT);
    out.writeBytes(value.end());
    return this;
  }

  ThriftBytes structs(int field, List<ThriftBytes> values) {
    head(field, LIST);
    out.write(15 << 4 | STRUCT);
    varint(out, values.size());
    values.forEach(value -> out.writeBytes(value.end()));
    return this;
  }

  /** Writes a list of as many empty structs. */
  ThriftBytes emptyStructs(int field, int count) {
    head(field, LIST);
    out.write(15 << 4 | STRUCT);
    varint(out, count);
    out.writeBytes(new byte[count]);
    return this;
  }

  /** Returns the bytes of the struct, which remains as it is. */
  byte[] end() {
    byte[] fields = out.toByteArray();
    return java.util.Arrays.copyOf(fields, fields.length + 1);
  }

  static void varint(ByteArrayOutputStream out, long value) {
    long rest = value;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      out.write((int) (rest & 0x7f | 0x80));
    }
    out.write((int) rest);
  }
}
