package org.saevhadoop.format.pickleshards.unpacked;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.HashSet;
import java.util.Set;
import org.saevhadoop.format.io.Folder;

/** File format for the ids of the requested samples of one shard. */
public final class ChosenSamples {
  private ChosenSamples() {}

  static byte[] bytes(Set<Long> ids) {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(ids.size(), Long.BYTES));
    ids.forEach(bytes::putLong);
    return bytes.array();
  }

  /**
   * Reads the ids written by {@link ShardJoin#choose}.
   *
   * @param unpacked the folder of the spools
   */
  public static Set<Long> read(Folder unpacked, int shard) throws IOException {
    byte[] bytes = unpacked.readSmall(UnpackedDataset.chosenName(shard), Integer.MAX_VALUE);
    LongBuffer values = ByteBuffer.wrap(bytes).asLongBuffer();
    Set<Long> ids = new HashSet<>();
    while (values.hasRemaining()) {
      ids.add(values.get());
    }
    return ids;
  }
}
