package org.saevhadoop.format.dataset.write;

import java.nio.ByteBuffer;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;

/** Checks that all blocks of a data file arrive, in the order of the plan. */
public final class BlockSequence {
  private final String path;
  private final ShardPlan shard;
  private final TableShape table;
  private final BlockOrder order;
  private final long[] blockBytes;
  private final long blocks;
  private long taken;

  /** Creates a check for the blocks of a planned file. */
  public BlockSequence(String path, ShardPlan shard, WritePlan plan) {
    this.path = path;
    this.shard = shard;
    this.table = plan.table();
    this.order = plan.order();
    this.blockBytes = table.columns().stream().mapToLong(Column::bytes).toArray();
    this.blocks = shard.examples() * table.columns().size();
  }

  /**
   * Checks that a block is the next expected block.
   *
   * @throws FormatException if another block is expected, or if all blocks have arrived
   */
  public void check(long example, int column, ByteBuffer block) throws FormatException {
    checkNext(example, column);
    checkSize(example, column, block.remaining(), blockBytes[column]);
  }

  /**
   * Checks that consecutive, nonempty blocks arrive in order, and returns their number.
   *
   * @throws FormatException if the first block is not the next expected block, or if the last block
   *     is incomplete
   */
  long checkRun(long example, int column, ByteBuffer run) throws FormatException {
    checkNext(example, column);
    long count = 0;
    long bytes = 0;
    for (; bytes < run.remaining() && taken + count < blocks; count++) {
      bytes += blockBytes[order.column(taken + count, shard.examples())];
    }
    checkSize(example, column, run.remaining(), bytes);
    return count;
  }

  private void checkNext(long example, int column) throws FormatException {
    if (taken == blocks) {
      throw DatasetError.BLOCK_OUT_OF_ORDER.in(
          path, "%s arrived after the last one", table.describe(example, column));
    }
    long expectedExample = shard.first() + order.indexInGroup(taken, shard.examples());
    int expectedColumn = order.column(taken, shard.examples());
    if (example != expectedExample || column != expectedColumn) {
      throw DatasetError.BLOCK_OUT_OF_ORDER.in(
          path,
          "%s is out of order (expected %s)",
          table.describe(example, column),
          table.describe(expectedExample, expectedColumn));
    }
  }

  private void checkSize(long example, int column, long bytes, long expected)
      throws FormatException {
    if (bytes != expected) {
      throw DatasetError.BLOCK_SIZE.in(
          path, "%s has %d bytes (expected %d)", table.describe(example, column), bytes, expected);
    }
  }

  /** Advances past the block that was checked and written. */
  public void advance() {
    advance(1);
  }

  void advance(long count) {
    taken += count;
  }

  /**
   * Checks that all blocks arrived.
   *
   * @throws FormatException if blocks are missing
   */
  public void checkComplete() throws FormatException {
    DatasetError.INCOMPLETE.check(
        taken == blocks, path, "is incomplete: %d of %d blocks arrived", taken, blocks);
  }
}
