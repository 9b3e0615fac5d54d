package org.saevhadoop.format.gzip;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Guesses whether looking for repetitions pays: counts words of 8 bytes that came shortly before.
 * Shorter ones do not tell, as bfloat16 numbers widened to 4 bytes repeat often and still come out
 * smaller without.
 */
final class Repetitions {
  private static final int TABLE_BITS = 12;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /** Of so many words one must have come before. */
  private static final int ONE_IN = 8;

  private final long[] lastSeen = new long[1 << TABLE_BITS];

  boolean areManyIn(ByteBuffer data) {
    Arrays.fill(lastSeen, 0);
    int end = data.limit() - Long.BYTES;
    int found = 0;
    for (int at = 0; at <= end; at += Long.BYTES) {
      long word = data.getLong(at);
      int slot = (int) (word * SPREAD >>> Long.SIZE - TABLE_BITS);
      if (lastSeen[slot] == word) {
        found++;
      }
      lastSeen[slot] = word;
    }
    return (long) found * ONE_IN * Long.BYTES >= data.limit();
  }
}
