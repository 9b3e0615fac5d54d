package org.saevhadoop.format.dataset.write;

import java.util.List;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.TableShape;

/**
 * Plan of a dataset to be written: its data files, the examples of each file, and the order of the
 * blocks in them. A plan only computes; it does not open any files.
 */
public interface WritePlan {
  TableShape table();

  BlockOrder order();

  /**
   * Returns the number of examples in a full file: file k starts with example {@code k *
   * examplesPerShard()}.
   */
  long examplesPerShard();

  /** Returns the number of data files. */
  default long shardCount() {
    return table().examples() == 0 ? 0 : (table().examples() - 1) / examplesPerShard() + 1;
  }

  /** Returns the number of examples in file {@code index}. */
  default long examples(long index) {
    return Math.min(examplesPerShard(), table().examples() - index * examplesPerShard());
  }

  /** Returns the number of all-zero examples that pad the last file. */
  default long paddedExamples() {
    return 0;
  }

  /** Returns whether the data files are compressed. */
  default boolean isCompressed() {
    return false;
  }

  /**
   * Returns whether the data files contain the blocks unchanged, at offsets that are known in
   * advance, so that blocks can be written in any order to storage with random access.
   */
  default boolean isPlain() {
    return false;
  }

  ShardPlan shard(long index);

  /**
   * Returns the files that contain the blocks and labels of the examples of a data file: the data
   * file, then its companions, which a task commits before the data file.
   */
  default List<ShardPlan> files(long index) {
    return List.of(shard(index));
  }

  /** Returns the names of {@link #files}, without reading the source. */
  default List<String> names(long index) {
    return files(index).stream().map(ShardPlan::name).toList();
  }

  /**
   * Returns the total length of a data file and its companions; the length is approximate if it is
   * known only after they are written, and {@link ShardPlan#UNKNOWN} if it depends on compression.
   */
  default long expectedBytes(long index) {
    long bytes = 0;
    for (ShardPlan file : files(index)) {
      if (file.length() == ShardPlan.UNKNOWN) {
        return ShardPlan.UNKNOWN;
      }
      bytes += file.length();
    }
    return bytes;
  }

  default String shardName(long index) {
    return shard(index).name();
  }
}
