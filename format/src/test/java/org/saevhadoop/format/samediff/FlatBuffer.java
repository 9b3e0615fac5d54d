package org.saevhadoop.format.samediff;

import static org.saevhadoop.format.samediff.RuleLevel.rule;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A FlatBuffer, of which each element is checked when it is read as the C++ Verifier does
 * (flatbuffers/verifier.h).
 */
final class FlatBuffer {
  private static final int MIN_BYTES = 12;
  private static final int MAX_TABLES = 1_000_000;

  private final ByteBuffer bytes;
  private final RuleLevel level;
  private int tables;

  /** A buffer of which all bytes may belong to the FlatBuffer. */
  FlatBuffer(ByteBuffer bytes, RuleLevel level) {
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.level = level;
    rule(
        this.bytes.limit() >= MIN_BYTES,
        "a FlatBuffer has at least 12 bytes",
        this.bytes.limit() + " bytes");
  }

  Table root() {
    return new Table(target(0));
  }

  private void within(long at, long length, String what) {
    rule(
        at >= 0 && length < bytes.limit() && at <= bytes.limit() - length,
        "everything lies in the FlatBuffer",
        what + " of " + length + " bytes at " + at + " of " + bytes.limit());
  }

  private void aligned(long at, int alignment, String what) {
    rule(at % alignment == 0, "scalars are aligned", what + " at " + at);
  }

  private int scalar(long at, int width, String what) {
    aligned(at, width, what);
    within(at, width, what);
    return (int) at;
  }

  /** The position to which an offset points. */
  private int target(long at) {
    int position = scalar(at, Integer.BYTES, "an offset");
    int offset = bytes.getInt(position);
    rule(offset > 0, "offsets are positive", offset + " at " + position);
    within((long) position + offset, 1, "the target of an offset");
    return position + offset;
  }

  private int unsigned16(int at) {
    return bytes.getShort(at) & 0xffff;
  }

  /** The position of the first element of a vector. */
  private int elements(int vector, int width, boolean areScalars) {
    int size = bytes.getInt(scalar(vector, Integer.BYTES, "the size of a vector"));
    rule(
        size >= 0 && size < Integer.MAX_VALUE / width,
        "the size of a vector is less than 2 GiB",
        size + " elements at " + vector);
    within(vector, Integer.BYTES + (long) size * width, "a vector");
    int first = vector + Integer.BYTES;
    level.ours(
        !areScalars || size == 0 || first % width == 0,
        "elements of vectors are aligned",
        "vector at " + vector);
    return first;
  }

  private String string(int at) {
    int first = elements(at, 1, true);
    int size = bytes.getInt(at);
    within((long) first + size, 1, "the end of a string");
    rule(bytes.get(first + size) == 0, "strings end with NUL", "string at " + at);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.slice(first, size)).toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError("rule broken: strings are UTF-8: string at " + at, e);
    }
  }

  /** A table whose fields are read by their index in the schema. */
  final class Table {
    private static final int FIRST_SLOT = 4;

    private final int start;
    private final int vtable;
    private final int vtableBytes;

    Table(int start) {
      this.start = scalar(start, Integer.BYTES, "a table");
      rule(++tables <= MAX_TABLES, "there are at most 1,000,000 tables", tables);
      vtable = scalar((long) start - bytes.getInt(start), Short.BYTES, "a vtable");
      vtableBytes = unsigned16(vtable);
      rule(vtableBytes % 2 == 0, "the size of a vtable is even", "vtable at " + vtable);
      within(vtable, vtableBytes, "a vtable");
    }

    /** The position of a field; 0 if it has the default value. */
    private int field(int index) {
      int slot = FIRST_SLOT + 2 * index;
      int offset = slot < vtableBytes ? unsigned16(vtable + slot) : 0;
      return offset == 0 ? 0 : start + offset;
    }

    boolean has(int index) {
      return field(index) != 0;
    }

    byte int8(int index) {
      return has(index) ? bytes.get(scalar(field(index), 1, "a byte")) : 0;
    }

    int int32(int index) {
      return has(index) ? bytes.getInt(scalar(field(index), Integer.BYTES, "an int")) : 0;
    }

    long int64(int index) {
      return has(index) ? bytes.getLong(scalar(field(index), Long.BYTES, "a long")) : 0;
    }

    /** A table; null if the field is absent. */
    Table table(int index) {
      return has(index) ? new Table(target(field(index))) : null;
    }

    /** A string; null if the field is absent. */
    String string(int index) {
      return has(index) ? FlatBuffer.this.string(target(field(index))) : null;
    }

    /** A vector of numbers; null if the field is absent. */
    List<Long> int64s(int index) {
      if (!has(index)) {
        return null;
      }
      int vector = target(field(index));
      int first = elements(vector, Long.BYTES, true);
      List<Long> numbers = new ArrayList<>();
      for (int i = 0; i < bytes.getInt(vector); i++) {
        numbers.add(bytes.getLong(first + i * Long.BYTES));
      }
      return numbers;
    }

    /** A vector of bytes; null if the field is absent. */
    ByteBuffer int8s(int index) {
      if (!has(index)) {
        return null;
      }
      int vector = target(field(index));
      return bytes.slice(elements(vector, 1, true), bytes.getInt(vector));
    }

    /** A vector of strings; null if the field is absent. */
    List<String> strings(int index) {
      if (!has(index)) {
        return null;
      }
      List<String> strings = new ArrayList<>();
      for (int target : targets(index)) {
        strings.add(FlatBuffer.this.string(target));
      }
      return strings;
    }

    /** A vector of tables; empty if the field is absent. */
    List<Table> tables(int index) {
      List<Table> tables = new ArrayList<>();
      if (has(index)) {
        for (int target : targets(index)) {
          tables.add(new Table(target));
        }
      }
      return tables;
    }

    private List<Integer> targets(int index) {
      int vector = target(field(index));
      int first = elements(vector, Integer.BYTES, false);
      List<Integer> targets = new ArrayList<>();
      for (int i = 0; i < bytes.getInt(vector); i++) {
        targets.add(target(first + i * Integer.BYTES));
      }
      return targets;
    }
  }
}
