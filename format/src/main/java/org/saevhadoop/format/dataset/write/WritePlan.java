package org.saevhadoop.format.dataset.write;

import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.TableShape;

/**
 * What a format decides before the first byte of a dataset is written: the data files, the examples
 * of each, and the order of the blocks in them. Arithmetic only: nothing is opened.
 */
public interface WritePlan {
  /** The shape of what is written. */
  TableShape table();

  /** The order of the blocks in each file. */
  BlockOrder order();

  /** Examples of a full file: file k holds those from {@code k * examplesPerShard()} on. */
  long examplesPerShard();

  /** Data files in all. */
  default long shardCount() {
    return table().examples() == 0 ? 0 : (table().examples() - 1) / examplesPerShard() + 1;
  }

  /** Examples of file {@code index}. */
  default long examples(long index) {
    return Math.min(examplesPerShard(), table().examples() - index * examplesPerShard());
  }

  /** File {@code index}. */
  ShardPlan shard(long index);

  /** The name of file {@code index}. */
  default String shardName(long index) {
    return shard(index).name();
  }
}
