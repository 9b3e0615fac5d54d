package org.saevhadoop.format.parquet.write;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** The levels of lists that have equal lengths and no nulls. */
final class ListLevels {
  private ListLevels() {}

  /**
   * Returns the repetition levels and the definition levels of a page, each preceded by their
   * length; empty for a column without lists.
   *
   * @param first the index of the first value in its row
   */
  static byte[] of(ColumnSchema column, int first, int count) {
    List<Integer> lists = column.lists();
    if (lists.isEmpty()) {
      return new byte[0];
    }
    int depth = lists.size();
    int length = lists.get(depth - 1);
    int row = column.values();
    RunLengthEncoder repetition = new RunLengthEncoder(depth);
    for (int done = 0; done < count; ) {
      int at = (int) ((first + (long) done) % row);
      int rest = at % length;
      int run = rest == 0 ? 1 : Math.min(length - rest, count - done);
      repetition.add(at == 0 ? 0 : rest == 0 ? depth - 1 : depth, run);
      done += run;
    }
    RunLengthEncoder definition = new RunLengthEncoder(depth);
    definition.add(depth, count);
    byte[] some = repetition.toBytes();
    byte[] others = definition.toBytes();
    return ByteBuffer.allocate(2 * Integer.BYTES + some.length + others.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(some.length)
        .put(some)
        .putInt(others.length)
        .put(others)
        .array();
  }
}
