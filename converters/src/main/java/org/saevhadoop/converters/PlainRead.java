package org.saevhadoop.converters;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Placement;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Input;

/**
 * What readers are compared with: one thread reads some bytes of each block, in the order of the
 * files, into one buffer, straight from the storage. Nothing is done with them.
 */
final class PlainRead {
  private static final int BUFFER_BYTES = 4 << 20;

  /** A gap no longer than this is read through, as a program that reads whole files would. */
  private static final int READ_THROUGH = 64 << 10;

  private final ActivationDataset dataset;
  private final List<Integer> layerIndexes;
  private final long first;
  private final long count;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private long start;
  private long end;

  /**
   * @param first the first byte of each block that is read
   * @param count how many bytes of each block are
   */
  PlainRead(ActivationDataset dataset, List<Integer> layerIndexes, long first, long count) {
    this.dataset = dataset;
    this.layerIndexes = layerIndexes;
    this.first = first;
    this.count = count;
  }

  /** Reads until {@code deadline}, a nanoTime, or once; returns the bytes that were asked for. */
  long run(long deadline) throws IOException {
    BlockOrder order = new BlockOrder(dataset.storageOrder().byLayer(), layerIndexes);
    long blocks = 0;
    for (int i = 0; i < dataset.shards().size(); i++) {
      Shard shard = dataset.shards().get(i);
      try (Input file = dataset.folder().open(shard.name())) {
        Placement placement = dataset.placement(i, file);
        start = 0;
        end = 0;
        for (long b = 0; b < shard.examples() * layerIndexes.size(); b++) {
          long example = order.indexInGroup(b, shard.examples());
          long offset = placement.offset(example, order.layerIndex(b, shard.examples())) + first;
          take(file, offset);
          blocks++;
          if (System.nanoTime() > deadline) {
            return blocks * count - (end - start);
          }
        }
        drain(file, 0);
      }
    }
    return blocks * count;
  }

  private void take(Input file, long offset) throws IOException {
    if (offset < end || offset - end > READ_THROUGH) {
      drain(file, 0);
      start = offset;
    }
    end = offset + count;
    drain(file, BUFFER_BYTES);
  }

  /** Reads what is pending, whole buffers of it where {@code least} is a buffer's size. */
  private void drain(Input file, int least) throws IOException {
    while (end > start && end - start >= least) {
      buffer.clear().limit((int) Math.min(BUFFER_BYTES, end - start));
      int n = buffer.remaining();
      file.readFully(start, buffer);
      start += n;
    }
  }
}
