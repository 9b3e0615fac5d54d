package org.saevhadoop.jobs.check;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.permutation.HashMixing;

/**
 * Sums, modulo 2^64, of hashes of row numbers and row bytes. A sum does not depend on the order in
 * which the rows are read. Each group of consecutive rows has its own sum, so that differences
 * between two datasets can be located.
 */
final class RowSums {
  private static final long MAX_GROUPS = 1024;

  private final long rows;
  private final long groupRows;
  private final long[] sums;
  private final CRC32 crc = new CRC32();
  private final CRC32C crc32c = new CRC32C();

  /** Creates the sums of {@code rows} rows, before any is added. */
  RowSums(long rows) {
    this.rows = rows;
    this.groupRows = Math.max(1, (rows - 1) / MAX_GROUPS + 1);
    this.sums = new long[Math.toIntExact((rows - 1) / groupRows + 1)];
  }

  /** Adds a row, with its labels if there are any. All bytes of both buffers are read. */
  void add(long row, ByteBuffer bytes, ByteBuffer labels) {
    crc.reset();
    crc32c.reset();
    crc.update(bytes.duplicate());
    crc32c.update(bytes);
    crc.update(labels.duplicate());
    crc32c.update(labels);
    long hash = crc.getValue() << Integer.SIZE | crc32c.getValue();
    sums[(int) (row / groupRows)] += HashMixing.mix(HashMixing.mix(row + HashMixing.GOLDEN) ^ hash);
  }

  byte[] toBytes() {
    ByteBuffer bytes = ByteBuffer.allocate(sums.length * Long.BYTES);
    bytes.asLongBuffer().put(sums);
    return bytes.array();
  }

  /** Adds the group sums that were computed from some of the rows. */
  void add(ByteBuffer some) {
    LongBuffer parts = some.asLongBuffer();
    for (int group = 0; group < sums.length; group++) {
      sums[group] += parts.get(group);
    }
  }

  /** Returns the range of rows in the first group that differs; empty if all sums are equal. */
  Optional<IndexRange> mismatch(RowSums other) {
    int group = Arrays.mismatch(sums, other.sums);
    long first = group * groupRows;
    return group < 0
        ? Optional.empty()
        : Optional.of(new IndexRange(first, Math.min(first + groupRows, rows)));
  }
}
