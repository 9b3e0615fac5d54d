package org.saevhadoop.format.pickleshards.unpacked;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.saevhadoop.format.io.Input;

/**
 * Comparison of arrays that occur twice, by their bytes, or by their checksums if one of them was
 * not kept completely.
 */
record ArrayComparison(Input all) {
  private static final int COMPARE_BYTES = 1 << 20;

  /**
   * Returns whether two arrays are equal.
   *
   * @param checksum the checksum of the first array; {@link ShardCatalogue#NO_CHECKSUM} if all of
   *     its bytes can be read
   * @param otherChecksum the checksum of the second array; {@link ShardCatalogue#NO_CHECKSUM} if
   *     all of its bytes can be read
   */
  boolean areEqual(long bytes, long address, long checksum, long other, long otherChecksum)
      throws IOException {
    if (checksum != ShardCatalogue.NO_CHECKSUM || otherChecksum != ShardCatalogue.NO_CHECKSUM) {
      return checksum(bytes, address, checksum) == checksum(bytes, other, otherChecksum);
    }
    if (address == other) { // one array, which the pickle contains once
      return true;
    }
    ByteBuffer one = ByteBuffer.allocate((int) Math.min(COMPARE_BYTES, bytes));
    ByteBuffer two = ByteBuffer.allocate(one.capacity());
    boolean same = true;
    for (long done = 0; same && done < bytes; done += one.limit()) {
      int n = (int) Math.min(one.capacity(), bytes - done);
      all.readFully(address + done, one.clear().limit(n));
      all.readFully(other + done, two.clear().limit(n));
      same = one.flip().equals(two.flip());
    }
    return same;
  }

  private long checksum(long bytes, long address, long known) throws IOException {
    if (known != ShardCatalogue.NO_CHECKSUM) {
      return known;
    }
    CRC32C crc = new CRC32C();
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(COMPARE_BYTES, bytes));
    for (long done = 0; done < bytes; done += piece.limit()) {
      all.readFully(
          address + done, piece.clear().limit((int) Math.min(COMPARE_BYTES, bytes - done)));
      crc.update(piece.flip());
    }
    return crc.getValue();
  }
}
