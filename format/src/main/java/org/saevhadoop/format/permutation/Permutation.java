package org.saevhadoop.format.permutation;

import static org.saevhadoop.format.permutation.HashMixing.GOLDEN;
import static org.saevhadoop.format.permutation.HashMixing.mix;
import static org.saevhadoop.format.permutation.HashMixing.reduce;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.io.Sha256;

/**
 * Pseudo-random permutation of {@code [0, n)}, fixed by a key of 128 bits: an alternating Feistel
 * network over {@code a * b >= n}, in which a number that is mapped to n or above is mapped again
 * (cycle walking). This is rare, because {@code a * b < n + b} and b, a power of two, is about the
 * square root of n.
 *
 * <p>Instances are immutable. Calls allocate nothing.
 */
public final class Permutation {
  /** The largest n. */
  public static final long MAX_LENGTH = 1L << 62;

  /** Number of rounds, which is even so that both halves are changed equally often. */
  private static final int ROUNDS = 6;

  /**
   * Number of rounds of short permutations, whose halves have few values: with 16 rounds, the
   * distribution over the 120 permutations of 5 elements is measurably not uniform.
   */
  private static final int SHORT_ROUNDS = 32;

  /** A permutation is short below this length. */
  private static final long SHORT = 1 << 16;

  private final long n;

  /** Number of values of the left half, called a above. */
  private final long lefts;

  /** The right half has 2^rightBits values, called b above. */
  private final int rightBits;

  private final long rightMask;
  private final long[] keys;

  /**
   * Creates the permutation that a key determines.
   *
   * @param n the number of elements, 0 to {@link #MAX_LENGTH}
   */
  public Permutation(long n, long key0, long key1) {
    if (n < 0 || n > MAX_LENGTH) {
      throw new IllegalArgumentException("cannot permute " + n + " elements");
    }
    this.n = n;
    this.rightBits = (Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, n - 1))) / 2;
    this.rightMask = (1L << rightBits) - 1;
    this.lefts = (n + rightMask) >>> rightBits;
    this.keys = new long[n < SHORT ? SHORT_ROUNDS : ROUNDS];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = mix(mix(key0 + (i + 1) * GOLDEN) ^ key1);
    }
  }

  /**
   * Returns the permutation that a seed and a purpose determine. Its key is the beginning of the
   * SHA-256 of n, the seed (both big-endian) and the purpose in UTF-8, so permutations of other
   * lengths or purposes are unrelated.
   */
  public static Permutation of(long n, long seed, String purpose) {
    byte[] text = purpose.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES + text.length);
    ByteBuffer key = ByteBuffer.wrap(Sha256.of(bytes.putLong(n).putLong(seed).put(text).flip()));
    return new Permutation(n, key.getLong(), key.getLong());
  }

  /**
   * Returns the element at a position.
   *
   * @throws IndexOutOfBoundsException unless {@code 0 <= position < n}
   */
  public long at(long position) {
    check(position);
    long element = position;
    do {
      element = forward(element);
    } while (element >= n);
    return element;
  }

  /**
   * Returns the position of an element: the inverse of {@link #at}.
   *
   * @throws IndexOutOfBoundsException unless {@code 0 <= element < n}
   */
  public long indexOf(long element) {
    check(element);
    long position = element;
    do {
      position = backward(position);
    } while (position >= n);
    return position;
  }

  private void check(long index) {
    if (index < 0 || index >= n) {
      throw new IndexOutOfBoundsException("index " + index + " is out of range for length " + n);
    }
  }

  private long forward(long value) {
    long left = value >>> rightBits;
    long right = value & rightMask;
    for (int round = 0; round < keys.length; round += 2) {
      left = wrap(left + reduce(mix(right + keys[round]), lefts) - lefts);
      right = (right + mix(left + keys[round + 1])) & rightMask;
    }
    return (left << rightBits) + right;
  }

  private long backward(long value) {
    long left = value >>> rightBits;
    long right = value & rightMask;
    for (int round = keys.length - 2; round >= 0; round -= 2) {
      right = (right - mix(left + keys[round + 1])) & rightMask;
      left = wrap(left - reduce(mix(right + keys[round]), lefts));
    }
    return (left << rightBits) + right;
  }

  /** Adds the modulus to a negative number, without a branch that would be mispredicted. */
  private long wrap(long left) {
    return left + (lefts & (left >> 63));
  }
}
