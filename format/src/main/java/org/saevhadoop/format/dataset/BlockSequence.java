package org.saevhadoop.format.dataset;

import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FormatException;

/** Demands the blocks of a data file, each in its place in the target's order, and all of them. */
public final class BlockSequence {
  private final String path;
  private final ShardPlan plan;
  private final Table table;
  private final BlockOrder order;
  private final long blocks;
  private long taken;

  /**
   * The blocks of a planned file.
   *
   * @param path as error messages name the file
   */
  public BlockSequence(String path, ShardPlan plan, DatasetTarget target) {
    this.path = path;
    this.plan = plan;
    this.table = target.table();
    this.order = target.order();
    this.blocks = plan.examples() * table.columns().size();
  }

  /**
   * Checks that a block is the next one.
   *
   * @throws FormatException where it is another one, or none is missing
   */
  public void check(long example, int layerIndex, ByteBuffer block) throws FormatException {
    if (taken == blocks) {
      throw FormatException.of(
          path, "%s arrived after the last one", table.describe(example, layerIndex));
    }
    long expectedExample = plan.first() + order.indexInGroup(taken, plan.examples());
    int expectedLayer = order.layerIndex(taken, plan.examples());
    if (example != expectedExample || layerIndex != expectedLayer) {
      throw FormatException.of(
          path,
          "%s arrived out of place (expected %s)",
          table.describe(example, layerIndex),
          table.describe(expectedExample, expectedLayer));
    }
    if (block.remaining() != table.blockBytes(layerIndex)) {
      throw FormatException.of(
          path,
          "%s has %d bytes (expected %d)",
          table.describe(example, layerIndex),
          block.remaining(),
          table.blockBytes(layerIndex));
    }
  }

  /** The block that was checked is written. */
  public void advance() {
    taken++;
  }

  /**
   * Checks that all were taken.
   *
   * @throws FormatException where some are missing
   */
  public void checkComplete() throws FormatException {
    FormatException.check(
        taken == blocks, path, "is incomplete: %d of %d blocks arrived", taken, blocks);
  }
}
