package org.saevhadoop.format.flatbuffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A table of a FlatBuffer. Each offset is checked against the FlatBuffer before it is followed,
 * because FlatBuffers for Java has no verifier (<a
 * href="https://flatbuffers.dev/internals/">FlatBuffers internals</a>, "Tables" and "Vectors").
 */
public record FlatTable(
    FlatBytes bytes, long position, long vtable, int vtableBytes, int tableBytes) {
  /** The size of the two lengths that precede the fields of a vtable. */
  private static final int VTABLE_HEAD = 2 * Short.BYTES;

  /** Consecutive elements of the same size. */
  public record Vector(FlatBytes bytes, long first, long count) {
    public FlatTable table(long index) throws IOException {
      return FlatTable.at(bytes, target(bytes, first + index * Integer.BYTES));
    }

    public String text(long index) throws IOException {
      return FlatTable.text(bytes, target(bytes, first + index * Integer.BYTES));
    }

    public long i64(long index) throws IOException {
      return bytes.i64(first + index * Long.BYTES);
    }
  }

  /** Returns the root of a FlatBuffer. */
  public static FlatTable root(FlatBytes bytes) throws IOException {
    return at(bytes, target(bytes, bytes.begin()));
  }

  private static FlatTable at(FlatBytes bytes, long position) throws IOException {
    long vtable = position - bytes.i32(position);
    bytes.check(vtable, VTABLE_HEAD, "a vtable");
    int vtableBytes = bytes.u16(vtable);
    int tableBytes = bytes.u16(vtable + Short.BYTES);
    if (vtableBytes < VTABLE_HEAD || vtableBytes % Short.BYTES != 0 || tableBytes < Integer.BYTES) {
      throw bytes
          .rules()
          .malformed()
          .in(
              bytes.path(),
              "has a vtable of %d bytes for a table of %d bytes, at byte %d",
              vtableBytes,
              tableBytes,
              vtable);
    }
    bytes.check(vtable, vtableBytes, "a vtable");
    bytes.check(position, tableBytes, "a table");
    return new FlatTable(bytes, position, vtable, vtableBytes, tableBytes);
  }

  /** Returns the target of the offset at {@code at}. */
  private static long target(FlatBytes bytes, long at) throws IOException {
    long offset = bytes.u32(at);
    bytes.check(at + offset, Integer.BYTES, "an element");
    return at + offset;
  }

  private static String text(FlatBytes bytes, long position) throws IOException {
    byte[] text = bytes.text(position + Integer.BYTES, bytes.u32(position));
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
    } catch (CharacterCodingException e) {
      throw bytes
          .rules()
          .malformed()
          .in(bytes.path(), "has a string that is not UTF-8, at byte %d", position)
          .causedBy(e);
    }
  }

  /** Returns the position of a field; -1 if it is absent and therefore has its default value. */
  private long field(int index, int width) throws IOException {
    int entry = VTABLE_HEAD + index * Short.BYTES;
    int offset = entry < vtableBytes ? bytes.u16(vtable + entry) : 0;
    if (offset == 0) {
      return -1;
    }
    if (offset < Integer.BYTES || offset > tableBytes - width) {
      throw bytes
          .rules()
          .malformed()
          .in(
              bytes.path(),
              "has field %d at %d in a table of %d bytes, at byte %d",
              index,
              offset,
              tableBytes,
              position);
    }
    return position + offset;
  }

  /** Returns whether a field is present. */
  public boolean has(int index) throws IOException {
    return field(index, 1) >= 0;
  }

  /** Returns a byte field; 0 if it is absent. */
  public int i8(int index) throws IOException {
    long at = field(index, Byte.BYTES);
    return at < 0 ? 0 : (byte) bytes.u8(at);
  }

  /** Returns a short field; 0 if it is absent. */
  public int i16(int index) throws IOException {
    long at = field(index, Short.BYTES);
    return at < 0 ? 0 : (short) bytes.u16(at);
  }

  /** Returns an int field; 0 if it is absent. */
  public int i32(int index) throws IOException {
    long at = field(index, Integer.BYTES);
    return at < 0 ? 0 : bytes.i32(at);
  }

  /** Returns a long field; 0 if it is absent. */
  public long i64(int index) throws IOException {
    long at = field(index, Long.BYTES);
    return at < 0 ? 0 : bytes.i64(at);
  }

  /** Returns a string field; null if it is absent. */
  public @Nullable String text(int index) throws IOException {
    long at = field(index, Integer.BYTES);
    return at < 0 ? null : text(bytes, target(bytes, at));
  }

  /** Returns a table field; null if it is absent. */
  public @Nullable FlatTable table(int index) throws IOException {
    long at = field(index, Integer.BYTES);
    return at < 0 ? null : at(bytes, target(bytes, at));
  }

  /** Returns a vector of elements of {@code width} bytes; an empty vector if it is absent. */
  public Vector vector(int index, int width) throws IOException {
    long at = field(index, Integer.BYTES);
    if (at < 0) {
      return new Vector(bytes, position, 0);
    }
    long vector = target(bytes, at);
    long count = bytes.u32(vector);
    bytes.check(vector + Integer.BYTES, count * width, "a vector");
    return new Vector(bytes, vector + Integer.BYTES, count);
  }
}
