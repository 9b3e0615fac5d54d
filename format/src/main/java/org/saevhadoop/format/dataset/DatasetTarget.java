package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;

/**
 * What a format decides before the first byte of a dataset is written: the data files, the examples
 * of each, the order of the blocks in them, and the documents that make the folder a dataset.
 */
public interface DatasetTarget {
  /** The shape of what is written. */
  Table table();

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

  /** Whether the attributes of a file's examples go to a file beside it. */
  default boolean hasSidecars() {
    return true;
  }

  /**
   * How readers number the examples of file {@code index}: the place in the plan of the one that
   * they find first, second, ...; null where they are numbered as in the plan.
   */
  default int[] readOrder(long index) {
    return null;
  }

  /**
   * Opens a file for blocks that come in the target's order.
   *
   * @param folder where it is created
   */
  default BlockSink sink(ShardPlan plan, Folder folder) throws IOException {
    return new ShardWriter(folder.create(plan.name()), plan, this);
  }

  /**
   * The name of a file that {@link #sink} leaves beside file {@code index}, which tells {@link
   * #documents(Folder)} what came of it and is deleted then; null without.
   */
  default String factsName(long index) {
    return null;
  }

  /**
   * Ends a file whose blocks are all written: appends what follows them, up to the length that the
   * plan gives it.
   */
  default void finish(ShardPlan plan, Output out) throws IOException {
    out.extendTo(plan.length());
  }

  /**
   * The documents, in the order in which they must appear: a reader looks for the last one. None
   * for a format whose documents tell what is known only once the files are written.
   */
  default List<Document> documents() {
    return List.of();
  }

  /**
   * The documents of files that are written.
   *
   * @param written where the files are
   */
  default List<Document> documents(Folder written) throws IOException {
    return documents();
  }
}
