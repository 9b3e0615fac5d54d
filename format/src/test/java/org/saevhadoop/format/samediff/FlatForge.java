package org.saevhadoop.format.samediff;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes FlatBuffers from values: a table is a map of fields by their index in the schema, a scalar
 * a Byte, Integer or Long, a string a String, a vector a {@code long[]}, a {@code byte[]} or a list
 * of tables or strings.
 */
final class FlatForge {
  private final ByteBuffer out = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);

  private FlatForge() {}

  /** Positions of offsets, with what they are to point to. */
  private record Pending(int position, Object target) {}

  static byte[] bytes(Map<Integer, Object> root) {
    FlatForge forge = new FlatForge();
    forge.writeAll(List.of(new Pending(0, root)));
    byte[] bytes = new byte[forge.out.position()];
    forge.out.get(0, bytes);
    return bytes;
  }

  /** A table with these fields. */
  static Map<Integer, Object> table(Object... indexesAndValues) {
    Map<Integer, Object> table = new TreeMap<>();
    for (int i = 0; i < indexesAndValues.length; i += 2) {
      table.put((Integer) indexesAndValues[i], indexesAndValues[i + 1]);
    }
    return table;
  }

  private void writeAll(List<Pending> first) {
    out.putInt(0); // the root's offset
    List<Pending> queue = new ArrayList<>(first);
    for (int i = 0; i < queue.size(); i++) {
      Pending next = queue.get(i);
      int at = write(next.target, queue);
      out.putInt(next.position, at - next.position);
    }
    align(Long.BYTES);
  }

  private void align(int width) {
    while (out.position() % width != 0) {
      out.put((byte) 0);
    }
  }

  private int write(Object value, List<Pending> queue) {
    if (value instanceof Map<?, ?> table) {
      return writeTable(table, queue);
    }
    if (value instanceof String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      int at = writeSize(bytes.length, 1);
      out.put(bytes).put((byte) 0);
      return at;
    }
    if (value instanceof byte[] bytes) {
      int at = writeSize(bytes.length, 1);
      out.put(bytes);
      return at;
    }
    if (value instanceof long[] numbers) {
      int at = writeSize(numbers.length, Long.BYTES);
      for (long number : numbers) {
        out.putLong(number);
      }
      return at;
    }
    List<?> elements = (List<?>) value;
    int at = writeSize(elements.size(), Integer.BYTES);
    for (Object element : elements) {
      queue.add(new Pending(out.position(), element));
      out.putInt(0);
    }
    return at;
  }

  private int writeSize(int size, int width) {
    align(Integer.BYTES);
    while ((out.position() + Integer.BYTES) % width != 0) {
      out.putInt(0);
    }
    int at = out.position();
    out.putInt(size);
    return at;
  }

  private int writeTable(Map<?, ?> table, List<Pending> queue) {
    int fields = table.keySet().stream().mapToInt(i -> (Integer) i + 1).max().orElse(0);
    align(Integer.BYTES);
    int vtable = out.position();
    out.position(vtable + 4 + 2 * fields);
    align(Long.BYTES);
    int start = out.position();
    out.putInt(start - vtable);
    for (Map.Entry<?, ?> field : table.entrySet()) {
      Object value = field.getValue();
      align(value instanceof Byte ? 1 : value instanceof Long ? Long.BYTES : Integer.BYTES);
      int slot = vtable + 4 + 2 * (Integer) field.getKey();
      out.putShort(slot, (short) (out.position() - start));
      if (value instanceof Byte number) {
        out.put(number);
      } else if (value instanceof Integer number) {
        out.putInt(number);
      } else if (value instanceof Long number) {
        out.putLong(number);
      } else {
        queue.add(new Pending(out.position(), value));
        out.putInt(0);
      }
    }
    out.putShort(vtable, (short) (4 + 2 * fields));
    out.putShort(vtable + 2, (short) (out.position() - start));
    return start;
  }
}
