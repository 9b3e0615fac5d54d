package org.saevhadoop.format.tensor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Moves little-endian elements between a buffer and the array of {@link LaneBuffer} with their
 * width.
 */
interface LaneIo {
  /** Reads the next elements of the buffer into the first lanes. */
  void get(int count);

  /** Writes the first lanes to the next elements of the buffer. */
  void put(int count);

  /** Returns an instance for the remaining bytes of the buffer, whose position does not change. */
  static LaneIo of(DType type, ByteBuffer buffer, LaneBuffer lanes) {
    ByteBuffer bytes = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    return switch (type.bits()) {
      case 8 -> new Bytes(bytes, lanes.bytes);
      case 16 -> new Shorts(bytes.asShortBuffer(), lanes.shorts);
      case 32 -> new Ints(bytes.asIntBuffer(), lanes.ints);
      default -> new Longs(bytes.asLongBuffer(), lanes.longs);
    };
  }

  /** Elements of 8 bits. */
  record Bytes(ByteBuffer buffer, byte[] lanes) implements LaneIo {
    @Override
    public void get(int count) {
      buffer.get(lanes, 0, count);
    }

    @Override
    public void put(int count) {
      buffer.put(lanes, 0, count);
    }
  }

  /** Elements of 16 bits. */
  record Shorts(ShortBuffer buffer, short[] lanes) implements LaneIo {
    @Override
    public void get(int count) {
      buffer.get(lanes, 0, count);
    }

    @Override
    public void put(int count) {
      buffer.put(lanes, 0, count);
    }
  }

  /** Elements of 32 bits. */
  record Ints(IntBuffer buffer, int[] lanes) implements LaneIo {
    @Override
    public void get(int count) {
      buffer.get(lanes, 0, count);
    }

    @Override
    public void put(int count) {
      buffer.put(lanes, 0, count);
    }
  }

  /** Elements of 64 bits. */
  record Longs(LongBuffer buffer, long[] lanes) implements LaneIo {
    @Override
    public void get(int count) {
      buffer.get(lanes, 0, count);
    }

    @Override
    public void put(int count) {
      buffer.put(lanes, 0, count);
    }
  }
}
