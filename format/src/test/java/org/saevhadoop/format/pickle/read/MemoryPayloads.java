package org.saevhadoop.format.pickle.read;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.saevhadoop.format.pickle.value.PayloadStore;

/** Payloads in memory, for tests; of more than the capacity only the length is kept. */
public final class MemoryPayloads implements PayloadStore {
  private final int capacity;
  private byte[] bytes = new byte[1 << 12];
  private long length;

  public MemoryPayloads(int capacity) {
    this.capacity = capacity;
  }

  void clear() {
    length = 0;
  }

  long length() {
    return length;
  }

  @Override
  public long begin(long streamPosition) {
    return length;
  }

  @Override
  public void append(ByteBuffer piece) {
    int count = piece.remaining();
    if (length + count <= capacity) {
      if (length + count > bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(capacity, 2 * (length + count)));
      }
      piece.get(bytes, (int) length, count);
    }
    piece.position(piece.limit());
    length += count;
  }

  @Override
  public void read(long position, ByteBuffer dst) {
    if (position + dst.remaining() > Math.min(length, capacity)) {
      throw new AssertionError("bytes that were not kept");
    }
    dst.put(bytes, (int) position, dst.remaining());
  }
}
