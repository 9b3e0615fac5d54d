package org.saevhadoop.format.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The 32-bit hash of xxHash with seed 0. */
final class XxHash32 {
  private static final int PRIME_1 = 0x9E3779B1;
  private static final int PRIME_2 = 0x85EBCA77;
  private static final int PRIME_3 = 0xC2B2AE3D;
  private static final int PRIME_4 = 0x27D4EB2F;
  private static final int PRIME_5 = 0x165667B1;
  private static final int STRIPE = 16;

  private final int[] lanes = {PRIME_1 + PRIME_2, PRIME_2, 0, -PRIME_1};
  private final ByteBuffer rest = ByteBuffer.allocate(STRIPE).order(ByteOrder.LITTLE_ENDIAN);
  private long length;

  static int of(byte[] bytes, int offset, int count) {
    XxHash32 hash = new XxHash32();
    hash.update(bytes, offset, count);
    return hash.value();
  }

  void update(byte[] bytes, int offset, int count) {
    ByteBuffer in = ByteBuffer.wrap(bytes, offset, count).order(ByteOrder.LITTLE_ENDIAN);
    length += count;
    while (rest.position() > 0 && in.hasRemaining()) {
      rest.put(in.get());
      if (!rest.hasRemaining()) {
        stripe(rest.flip());
        rest.clear();
      }
    }
    while (in.remaining() >= STRIPE) {
      stripe(in);
    }
    rest.put(in);
  }

  private void stripe(ByteBuffer in) {
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = Integer.rotateLeft(lanes[i] + in.getInt() * PRIME_2, 13) * PRIME_1;
    }
  }

  int value() {
    int hash =
        length < STRIPE
            ? PRIME_5
            : Integer.rotateLeft(lanes[0], 1)
                + Integer.rotateLeft(lanes[1], 7)
                + Integer.rotateLeft(lanes[2], 12)
                + Integer.rotateLeft(lanes[3], 18);
    hash += (int) length;
    ByteBuffer in = rest.duplicate().order(ByteOrder.LITTLE_ENDIAN).flip();
    while (in.remaining() >= Integer.BYTES) {
      hash = Integer.rotateLeft(hash + in.getInt() * PRIME_3, 17) * PRIME_4;
    }
    while (in.hasRemaining()) {
      hash = Integer.rotateLeft(hash + (in.get() & 0xff) * PRIME_5, 11) * PRIME_1;
    }
    hash = (hash ^ hash >>> 15) * PRIME_2;
    hash = (hash ^ hash >>> 13) * PRIME_3;
    return hash ^ hash >>> 16;
  }
}
