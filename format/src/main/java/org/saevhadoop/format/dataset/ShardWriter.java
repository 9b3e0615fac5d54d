package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Output;

/** Writes one data file from blocks that arrive in the file's own order. */
public final class ShardWriter implements BlockSink {
  private final Output out;
  private final ShardPlan plan;
  private final DatasetTarget target;
  private final Table table;
  private final BlockOrder order;
  private final long blocks;
  private long written;

  /** Writes the file's header at once. */
  public ShardWriter(Output out, ShardPlan plan, DatasetTarget target) throws IOException {
    this.out = out;
    this.plan = plan;
    this.target = target;
    this.table = target.table();
    this.order = target.order();
    this.blocks = plan.examples() * table.columns().size();
    out.write(ByteBuffer.wrap(plan.header()));
  }

  @Override
  public void write(long example, int layerIndex, ByteBuffer block) throws IOException {
    if (written == blocks) {
      throw FormatException.of(
          out.path(), "%s arrived after the last one", describe(example, layerIndex));
    }
    if (example != expectedExample() || layerIndex != expectedLayer()) {
      throw FormatException.of(
          out.path(),
          "%s arrived out of place (expected %s)",
          describe(example, layerIndex),
          describe(expectedExample(), expectedLayer()));
    }
    if (block.remaining() != table.blockBytes(layerIndex)) {
      throw FormatException.of(
          out.path(),
          "%s has %d bytes (expected %d)",
          describe(example, layerIndex),
          block.remaining(),
          table.blockBytes(layerIndex));
    }
    out.write(block);
    written++;
  }

  @Override
  public void close() throws IOException {
    try (Output closing = out) {
      FormatException.check(
          written == blocks, out.path(), "is incomplete: %d of %d blocks arrived", written, blocks);
      target.finish(plan, closing);
    }
  }

  private long expectedExample() {
    return plan.first() + order.indexInGroup(written, plan.examples());
  }

  private int expectedLayer() {
    return order.layerIndex(written, plan.examples());
  }

  private String describe(long example, int layerIndex) {
    return table.describe(example, layerIndex);
  }
}
