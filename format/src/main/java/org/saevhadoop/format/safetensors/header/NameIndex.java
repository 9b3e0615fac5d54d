package org.saevhadoop.format.safetensors.header;

import java.security.SecureRandom;

/**
 * Finds names by where they stand in a header, at 6 bytes a name. The hash is a polynomial over the
 * name's bytes modulo 2^61-1 at a secret point: without knowing it no one can choose names that
 * collide, which would make reading a header take quadratic time.
 */
final class NameIndex {
  private static final long PRIME = (1L << 61) - 1;
  private static final long POINT;
  private static final long SPREAD;

  static {
    SecureRandom random = new SecureRandom();
    POINT = (random.nextLong() & PRIME >>> 1) + 1;
    SPREAD = (random.nextLong() & PRIME >>> 1) + 1;
  }

  private final byte[] json;
  private final IntColumn positions;
  private final int[] slots;

  /**
   * @param positions where the opening quotes of the names stand; complements count too
   */
  NameIndex(byte[] json, IntColumn positions) {
    this.json = json;
    this.positions = positions;
    this.slots = new int[positions.size() + positions.size() / 2 + 1];
  }

  /**
   * Adds the name of an index in the positions, in place of the same name added before.
   *
   * @return the index of the one added before; -1 where the name is new
   */
  int add(int index) {
    int slot = slot(json, position(index));
    int before = slots[slot] - 1;
    slots[slot] = index + 1;
    return before;
  }

  /** The index of a name in the positions; -1 where there is none such. */
  int find(String name) {
    byte[] quoted = JsonString.quoted(name);
    int index = slots[slot(quoted, 0)] - 1;
    // half of a surrogate pair is not in a header, but would be found as the ? that replaces it
    return index < 0 || JsonString.decode(json, position(index)).equals(name) ? index : -1;
  }

  private int position(int index) {
    int position = positions.get(index);
    return position < 0 ? ~position : position;
  }

  /** The slot that holds the name, or the free one where it belongs. */
  private int slot(byte[] text, int at) {
    int slot = (int) (multiply(hash(text, at), SPREAD) % slots.length);
    while (slots[slot] != 0 && !JsonString.equal(json, position(slots[slot] - 1), text, at)) {
      slot = slot + 1 == slots.length ? 0 : slot + 1;
    }
    return slot;
  }

  private static long hash(byte[] text, int at) {
    JsonString name = new JsonString(text, at);
    long hash = 1;
    for (int next = name.next(); next >= 0; next = name.next()) {
      hash = multiply(hash, POINT) + next + 1;
    }
    return hash;
  }

  /** Modulo 2^61-1, of factors below 2^62. */
  private static long multiply(long a, long b) {
    long low = a * b;
    long sum = (low & PRIME) + (low >>> 61 | Math.multiplyHigh(a, b) << 3);
    sum = (sum & PRIME) + (sum >>> 61);
    return sum >= PRIME ? sum - PRIME : sum;
  }
}
