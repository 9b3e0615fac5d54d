package org.saevhadoop.format.dataset.write;

import java.nio.ByteBuffer;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;

/** Demands the blocks of a data file, each in its place in the plan's order, and all of them. */
public final class BlockSequence {
  private final String path;
  private final ShardPlan shard;
  private final TableShape table;
  private final BlockOrder order;
  private final long blocks;
  private long taken;

  /**
   * The blocks of a planned file.
   *
   * @param path as error messages name the file
   */
  public BlockSequence(String path, ShardPlan shard, WritePlan plan) {
    this.path = path;
    this.shard = shard;
    this.table = plan.table();
    this.order = plan.order();
    this.blocks = shard.examples() * table.columns().size();
  }

  /**
   * Checks that a block is the next one.
   *
   * @throws FormatException where it is another one, or none is missing
   */
  public void check(long example, int column, ByteBuffer block) throws FormatException {
    if (taken == blocks) {
      throw DatasetError.BLOCK_OUT_OF_ORDER.in(
          path, "%s arrived after the last one", table.describe(example, column));
    }
    long expectedExample = shard.first() + order.indexInGroup(taken, shard.examples());
    int expectedColumn = order.column(taken, shard.examples());
    if (example != expectedExample || column != expectedColumn) {
      throw DatasetError.BLOCK_OUT_OF_ORDER.in(
          path,
          "%s arrived out of place (expected %s)",
          table.describe(example, column),
          table.describe(expectedExample, expectedColumn));
    }
    if (block.remaining() != table.blockBytes(column)) {
      throw DatasetError.BLOCK_SIZE.in(
          path,
          "%s has %d bytes (expected %d)",
          table.describe(example, column),
          block.remaining(),
          table.blockBytes(column));
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
    DatasetError.INCOMPLETE.check(
        taken == blocks, path, "is incomplete: %d of %d blocks arrived", taken, blocks);
  }
}
