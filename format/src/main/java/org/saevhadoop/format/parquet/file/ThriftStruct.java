package org.saevhadoop.format.parquet.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Struct in the Thrift compact protocol, which Parquet uses for its metadata. Fields are identified
 * by number; a missing field is 0, false or null.
 *
 * <p>Any error in the bytes is reported as a RuntimeException. Memory is allocated for the data
 * present, not for the sizes that the data claim.
 */
public final class ThriftStruct {
  private static final int FIELDS = 32; // exceeds all field numbers of Parquet
  private static final int MAX_DEPTH = 32;

  private Object[] fields = {};

  private ThriftStruct() {}

  /**
   * Reads a struct and advances the buffer past it.
   *
   * @param memory the account that is charged for the struct
   */
  public static ThriftStruct read(ByteBuffer in, MemoryAccount memory) {
    return new Parser(in.order(ByteOrder.LITTLE_ENDIAN), memory).struct(0);
  }

  public boolean has(int field) {
    return field < fields.length && fields[field] != null;
  }

  private @Nullable Object get(int field) {
    return field < fields.length ? fields[field] : null;
  }

  public long number(int field) {
    Object value = get(field);
    return value == null ? 0 : (Long) value;
  }

  public int integer(int field) {
    return Math.toIntExact(number(field));
  }

  /** Returns a boolean field. */
  public boolean isTrue(int field) {
    return Boolean.TRUE.equals(get(field));
  }

  public byte @Nullable [] bytes(int field) {
    return (byte[]) get(field);
  }

  public @Nullable ThriftStruct struct(int field) {
    return (ThriftStruct) get(field);
  }

  public ThriftStruct required(int field, String otherwise) {
    ThriftStruct struct = struct(field);
    if (struct == null) {
      throw new IllegalArgumentException(otherwise);
    }
    return struct;
  }

  /** Returns the elements of a list, which must all have the same class. */
  public <T> List<T> list(int field, Class<T> type) {
    List<T> list = new ArrayList<>();
    if (get(field) instanceof List<?> elements) {
      elements.forEach(element -> list.add(type.cast(element)));
    }
    return list;
  }

  private record Parser(ByteBuffer in, MemoryAccount memory) {
    ThriftStruct struct(int depth) {
      require(depth < MAX_DEPTH, "structs are nested too deeply");
      memory.take(MemoryAccount.STRUCT);
      ThriftStruct struct = new ThriftStruct();
      int field = 0;
      for (int head = in.get() & 0xff; head != 0; head = in.get() & 0xff) {
        int step = head >> 4;
        field = step == 0 ? (int) zigzag() : field + step;
        int type = head & 15;
        Object value = type <= 2 ? (Object) (type == 1) : value(type, depth + 1);
        if (field >= 0 && field < FIELDS) {
          if (field >= struct.fields.length) {
            memory.take((field + 1L - struct.fields.length) * MemoryAccount.FIELD);
            struct.fields = Arrays.copyOf(struct.fields, field + 1);
          }
          struct.fields[field] = value;
        }
      }
      return struct;
    }

    private Object value(int type, int depth) {
      memory.take(MemoryAccount.NUMBER);
      return switch (type) { // Parquet does not use maps and UUIDs
        case 1, 2 -> in.get() == 1;
        case 3 -> (long) in.get();
        case 4, 5, 6 -> zigzag();
        case 7 -> in.getDouble();
        case 8 -> bytes(size());
        case 9, 10 -> list(depth);
        case 12 -> struct(depth);
        default -> throw new IllegalArgumentException("a value of unknown type " + type);
      };
    }

    private List<Object> list(int depth) {
      require(depth < MAX_DEPTH, "lists are nested too deeply");
      int head = in.get() & 0xff;
      int size = head >> 4 == 15 ? size() : head >> 4;
      memory.take(MemoryAccount.LIST + 2L * size * MemoryAccount.FIELD);
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        list.add(value(head & 15, depth + 1));
      }
      return list;
    }

    private byte[] bytes(int size) {
      require(size <= in.remaining(), "a text continues past the end");
      memory.take(size);
      byte[] bytes = new byte[size];
      in.get(bytes);
      return bytes;
    }

    private int size() {
      long size = varint();
      require(size >= 0 && size <= in.remaining(), "a size exceeds the bytes that follow");
      return (int) size;
    }

    private long zigzag() {
      long n = varint();
      return n >>> 1 ^ -(n & 1);
    }

    private long varint() {
      return ThriftStruct.varint(in);
    }
  }

  /** Reads an unsigned number with 7 bits per byte, lowest bits first. */
  public static long varint(ByteBuffer in) {
    long n = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte b = in.get();
      n |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return n;
      }
    }
    throw new IllegalArgumentException("a number of more than 64 bits");
  }

  public static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
