package org.saevhadoop.format.safetensors.header;

import java.security.SecureRandom;

/**
 * Hash table of the names in a header, by position; it takes 6 bytes per name. The hash is a
 * polynomial over the bytes of the name modulo 2^61-1 at a random secret point. Without knowledge
 * of the point, an attacker cannot choose colliding names, which would make reading a header take
 * quadratic time.
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
   * Creates an empty index.
   *
   * @param positions the positions of the opening quotes of the names; complements are accepted too
   */
  NameIndex(byte[] json, IntColumn positions) {
    this.json = json;
    this.positions = positions;
    this.slots = new int[positions.size() + positions.size() / 2 + 1];
  }

  /** Returns the index of all names. */
  static NameIndex of(byte[] json, IntColumn positions) {
    NameIndex names = new NameIndex(json, positions);
    for (int i = 0; i < positions.size(); i++) {
      names.add(i);
    }
    return names;
  }

  /**
   * Adds a name and replaces an equal name that was added earlier.
   *
   * @param index the index of the name in the list of positions
   * @return the index of the name that was replaced; -1 if the name is new
   */
  int add(int index) {
    int slot = slot(json, position(index));
    int before = slots[slot] - 1;
    slots[slot] = index + 1;
    return before;
  }

  /** Returns the index of a name in the list of positions; -1 if it is absent. */
  int find(String name) {
    byte[] quoted = JsonString.quoted(name);
    int index = slots[slot(quoted, 0)] - 1;
    // A lone surrogate cannot occur in a header, but its replacement character ? would match.
    return index < 0 || JsonString.decode(json, position(index)).equals(name) ? index : -1;
  }

  private int position(int index) {
    int position = positions.get(index);
    return position < 0 ? ~position : position;
  }

  /** Returns the slot that contains the name, or the free slot for it. */
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

  /** Multiplies modulo 2^61-1; the factors must be below 2^62. */
  private static long multiply(long a, long b) {
    long low = a * b;
    long sum = (low & PRIME) + (low >>> 61 | Math.multiplyHigh(a, b) << 3);
    sum = (sum & PRIME) + (sum >>> 61);
    return sum >= PRIME ? sum - PRIME : sum;
  }
}
