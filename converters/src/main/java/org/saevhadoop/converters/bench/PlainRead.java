package org.saevhadoop.converters.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Input;

/**
 * The baseline of the benchmark: one thread reads the selected bytes of each block, in the order of
 * the files, directly from the storage into one buffer, and ignores them.
 */
final class PlainRead {
  private static final int BUFFER_BYTES = 4 << 20;

  /** The maximum gap in bytes that is read rather than skipped. */
  private static final int READ_THROUGH = 64 << 10;

  private final ActivationDataset dataset;
  private final long blockBytes;
  private final int vectorBytes;
  private final ByteBuffer buffer = Input.buffer(BUFFER_BYTES);
  private long start;
  private long end;

  PlainRead(ActivationDataset dataset) {
    this.dataset = dataset;
    this.blockBytes = dataset.geometry().blockBytes();
    this.vectorBytes = dataset.geometry().vectorBytes();
  }

  /**
   * Reads the dataset once, or until {@code deadline}, a value of {@link System#nanoTime}, and
   * returns the number of bytes requested.
   */
  long run(long deadline) throws IOException {
    BlockOrder order = dataset.storageOrder();
    long blocks = 0;
    for (int i = 0; i < dataset.shards().size(); i++) {
      Shard shard = dataset.shards().get(i);
      try (Input file = dataset.folder().open(shard.name())) {
        BlockOffsets placement = dataset.placement(i, file);
        start = 0;
        end = 0;
        for (long b = 0; b < shard.examples() * order.columns().size(); b++) {
          long example = order.indexInGroup(b, shard.examples());
          takeBlock(file, placement.offset(example, order.column(b, shard.examples())));
          blocks++;
          if (System.nanoTime() > deadline) {
            return blocks * blockBytes - (end - start);
          }
        }
        drain(file, 0);
      }
    }
    return blocks * blockBytes;
  }

  private void takeBlock(Input file, long block) throws IOException {
    long first = dataset.tokenRuns().get(0).start();
    for (IndexRange run : dataset.tokenRuns()) {
      take(file, block + (run.start() - first) * vectorBytes, run.length() * vectorBytes);
    }
  }

  private void take(Input file, long offset, long count) throws IOException {
    if (offset < end || offset - end > READ_THROUGH) {
      drain(file, 0);
      start = offset;
    }
    end = offset + count;
    drain(file, BUFFER_BYTES);
  }

  /** Reads pending bytes, but only full buffers if {@code least} is the buffer size. */
  private void drain(Input file, int least) throws IOException {
    while (end > start && end - start >= least) {
      buffer.clear().limit((int) Math.min(BUFFER_BYTES, end - start));
      int n = buffer.remaining();
      file.readFully(start, buffer);
      start += n;
    }
  }
}
