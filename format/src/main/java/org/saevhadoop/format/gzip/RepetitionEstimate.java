package org.saevhadoop.format.gzip;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Estimates whether searching for repetitions in a block is worthwhile, that is, whether much of
 * the block, in runs of at least 16 bytes, occurred shortly before. Repetitions of zeros count less
 * than other repetitions, because zeros need few bits in any case. Repetitions of single words do
 * not make a search worthwhile: bfloat16 values widened to 4 bytes repeat often and still compress
 * better without the search.
 */
final class RepetitionEstimate {
  private static final int TABLE_BITS = 12;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  /** The number of zeros that count as much as one other repetition. */
  private static final int ZEROS = 4;

  private final long[] lastSeen = new long[1 << TABLE_BITS];

  boolean areManyIn(ByteBuffer data) {
    Arrays.fill(lastSeen, 0);
    int words = data.limit() / Long.BYTES;
    int worth = 0;
    int ascii = 0;
    boolean repeats = false;
    for (int i = 0; i < words; i++) {
      long word = data.getLong(i * Long.BYTES);
      int slot = (int) (word * SPREAD >>> Long.SIZE - TABLE_BITS);
      boolean follows = repeats;
      repeats = lastSeen[slot] == word;
      lastSeen[slot] = word;
      if (repeats && follows) {
        worth += word == 0 ? 1 : ZEROS;
      } else if ((word & HIGH_BITS) == 0 && word != 0) {
        ascii++;
      }
    }
    boolean isText = ascii > words * 3 / 4;
    return isText || worth > words / 4;
  }
}
