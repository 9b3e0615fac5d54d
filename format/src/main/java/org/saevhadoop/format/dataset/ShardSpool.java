package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Output;

/**
 * Writes one data file from blocks in any order: they wait at their place in a temporary file on
 * the local disk, which is copied once all are there. For storages that can only append.
 */
public final class ShardSpool implements BlockSink {
  private static final int COPY_BYTES = 1 << 20;

  private final Output out;
  private final ShardPlan plan;
  private final DatasetTarget target;
  private final Geometry geometry;
  private final BlockOrder order;
  private final int blocks;
  private final BitSet arrived;
  private final FileChannel spool;

  /**
   * Opens the spool file, which has no name any more once it is open.
   *
   * @param localFolder a folder of the local disk
   */
  public ShardSpool(Output out, ShardPlan plan, DatasetTarget target, Path localFolder)
      throws IOException {
    this.out = out;
    this.plan = plan;
    this.target = target;
    this.geometry = target.geometry();
    this.order = target.order();
    this.blocks = Math.toIntExact(plan.examples() * geometry.layers().size());
    this.arrived = new BitSet(blocks);
    this.spool =
        FileChannel.open(
            Files.createTempFile(localFolder, "blocks", ".spool"),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
  }

  @Override
  public void write(long example, int layerIndex, ByteBuffer block) throws IOException {
    long index = example - plan.first();
    FormatException.check(
        index >= 0 && index < plan.examples(),
        out.path(),
        "example %d does not belong here (expected %d to %d)",
        example,
        plan.first(),
        plan.first() + plan.examples() - 1);
    int ordinal = (int) order.ordinal(index, layerIndex, plan.examples());
    FormatException.check(
        !arrived.get(ordinal),
        out.path(),
        "example %d layer %d arrived twice",
        example,
        geometry.layers().get(layerIndex));
    FormatException.check(
        block.remaining() == geometry.blockBytes(),
        out.path(),
        "example %d has a block of %d bytes (expected %d)",
        example,
        block.remaining(),
        geometry.blockBytes());
    arrived.set(ordinal);
    long position = ordinal * geometry.blockBytes();
    while (block.hasRemaining()) {
      position += spool.write(block, position);
    }
  }

  @Override
  public void close() throws IOException {
    try (FileChannel reading = spool;
        Output closing = out) {
      FormatException.check(
          arrived.cardinality() == blocks,
          out.path(),
          "is incomplete: %d of %d blocks arrived",
          arrived.cardinality(),
          blocks);
      closing.write(ByteBuffer.wrap(plan.header()));
      ByteBuffer buffer = ByteBuffer.allocateDirect(COPY_BYTES);
      long position = 0;
      for (int n = reading.read(buffer, 0); n > 0; n = reading.read(buffer, position)) {
        position += n;
        closing.write(buffer.flip());
        buffer.clear();
      }
      target.finish(plan, closing);
    }
  }
}
