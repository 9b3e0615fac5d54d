package org.saevhadoop.format.safetensors.header;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.saevhadoop.format.io.Output;

/**
 * The places of a file where the data of one of many growing tensors lies. Each is twice as long as
 * the one before, so they are few however much comes; what is not filled costs no disk where the
 * file system knows holes.
 */
final class SpoolExtents {
  static final int FIRST_BYTES = 4 << 10;
  private static final int MOST_DOUBLINGS = 18; // 1 GiB

  private long[] starts = {};
  private long length;
  private long room;

  /** Bytes appended so far. */
  long length() {
    return length;
  }

  private static long size(int extent) {
    return (long) FIRST_BYTES << Math.min(extent, MOST_DOUBLINGS);
  }

  /**
   * @param reserve gives the start of a new place for so many bytes
   */
  void append(FileChannel file, ByteBuffer data, LongUnaryOperator reserve) throws IOException {
    int limit = data.limit();
    while (data.hasRemaining()) {
      if (room == 0) {
        room = size(starts.length);
        starts = Arrays.copyOf(starts, starts.length + 1);
        starts[starts.length - 1] = reserve.applyAsLong(room);
      }
      int last = starts.length - 1;
      data.limit((int) Math.min(limit, data.position() + room));
      int n = file.write(data, starts[last] + size(last) - room);
      data.limit(limit);
      length += n;
      room -= n;
    }
  }

  /** Writes all data to an output. */
  void copy(FileChannel file, ByteBuffer buffer, Output out) throws IOException {
    long left = length;
    for (int i = 0; i < starts.length; i++) {
      long end = starts[i] + Math.min(left, size(i));
      for (long at = starts[i]; at < end; ) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
        int n = file.read(buffer, at);
        if (n < 0) {
          throw new IOException(
              "the temporary file ends at byte " + at + " (expected " + end + ")");
        }
        at += n;
        left -= n;
        out.write(buffer.flip());
      }
    }
  }
}
