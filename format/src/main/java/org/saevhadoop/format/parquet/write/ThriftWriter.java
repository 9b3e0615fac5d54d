package org.saevhadoop.format.parquet.write;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** Writes a struct in Thrift's compact protocol; fields must be added in ascending order. */
final class ThriftWriter {
  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int STRUCT = 12;

  /** The smallest list size that does not fit in the first byte of the list. */
  private static final int LONG_LIST = 15;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int field;

  ThriftWriter i32(int id, int value) {
    start(id, I32);
    zigzag(value);
    return this;
  }

  ThriftWriter i64(int id, long value) {
    start(id, I64);
    zigzag(value);
    return this;
  }

  ThriftWriter binary(int id, byte[] value) {
    start(id, BINARY);
    bytes(value);
    return this;
  }

  ThriftWriter text(int id, String value) {
    return binary(id, value.getBytes(StandardCharsets.UTF_8));
  }

  ThriftWriter struct(int id, ThriftWriter value) {
    start(id, STRUCT);
    out.writeBytes(value.toBytes());
    return this;
  }

  ThriftWriter structs(int id, List<ThriftWriter> values) {
    return list(id, STRUCT, values, value -> out.writeBytes(value.toBytes()));
  }

  ThriftWriter enums(int id, List<Integer> values) {
    return list(id, I32, values, value -> zigzag(value));
  }

  ThriftWriter longs(int id, List<Long> values) {
    return list(id, I64, values, this::zigzag);
  }

  ThriftWriter texts(int id, List<String> values) {
    return binaries(
        id, values.stream().map(value -> value.getBytes(StandardCharsets.UTF_8)).toList());
  }

  ThriftWriter binaries(int id, List<byte[]> values) {
    return list(id, BINARY, values, this::bytes);
  }

  ThriftWriter bools(int id, List<Boolean> values) {
    return list(id, TRUE, values, value -> out.write(value ? TRUE : FALSE));
  }

  /** Ends the struct and returns its bytes. */
  byte[] toBytes() {
    byte[] fields = out.toByteArray();
    byte[] bytes = new byte[fields.length + 1];
    System.arraycopy(fields, 0, bytes, 0, fields.length);
    return bytes;
  }

  private <T> ThriftWriter list(int id, int type, List<T> values, Consumer<T> element) {
    start(id, LIST);
    out.write(Math.min(values.size(), LONG_LIST) << 4 | type);
    if (values.size() >= LONG_LIST) {
      varint(values.size());
    }
    values.forEach(element);
    return this;
  }

  private void start(int id, int type) {
    int step = id - field;
    if (step < 1 || step > LONG_LIST) {
      throw new IllegalArgumentException("field " + id + " after field " + field);
    }
    out.write(step << 4 | type);
    field = id;
  }

  private void bytes(byte[] value) {
    varint(value.length);
    out.writeBytes(value);
  }

  private void zigzag(long value) {
    varint(value << 1 ^ value >> Long.SIZE - 1);
  }

  private void varint(long value) {
    long left = value;
    for (; (left & ~0x7fL) != 0; left >>>= 7) {
      out.write((int) left & 0x7f | 0x80);
    }
    out.write((int) left);
  }
}
