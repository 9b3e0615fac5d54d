package org.saevhadoop.format.safetensors.dataset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.AscendingSearch;

/**
 * A file and the examples in it that are kept.
 *
 * @param shard the file with all examples
 * @param dropped the indexes of the dropped examples within the file, in ascending order
 */
record KeptExamples(Shard shard, long[] dropped) {
  KeptExamples(Shard shard) {
    this(shard, new long[0]);
  }

  /**
   * Returns the file without the examples that have the given numbers in the dataset, which are in
   * ascending order.
   */
  KeptExamples without(long[] numbers) {
    int from = atLeast(numbers, shard.first());
    int to = atLeast(numbers, shard.first() + shard.examples());
    long[] mine = Arrays.stream(numbers, from, to).map(number -> number - shard.first()).toArray();
    return new KeptExamples(shard, mine);
  }

  /** Returns the index of the first number that is not less than {@code least}. */
  private static int atLeast(long[] numbers, long least) {
    int found = Arrays.binarySearch(numbers, least);
    return found < 0 ? -found - 1 : found;
  }

  long count() {
    return shard.examples() - dropped.length;
  }

  /** Returns the files with the kept examples, renumbered. */
  static List<Shard> shards(List<KeptExamples> files) {
    List<Shard> shards = new ArrayList<>();
    long next = 0;
    for (KeptExamples file : files) {
      shards.add(new Shard(file.shard.name(), next, file.count(), file.shard.bytes()));
      next += file.count();
    }
    return shards;
  }

  /** Returns the offsets of the blocks of the kept examples. */
  BlockOffsets placement(BlockOffsets all) {
    return dropped.length == 0 ? all : (index, column) -> all.offset(position(index), column);
  }

  /** Returns the elements of the kept examples from a list with one element per example. */
  <T> List<T> of(List<T> all) {
    if (dropped.length == 0) {
      return all;
    }
    List<T> some = new ArrayList<>();
    for (long i = 0; i < count(); i++) {
      some.add(all.get((int) position(i)));
    }
    return some;
  }

  /** Returns the index within the file of the kept example with number {@code index}. */
  private long position(long index) {
    return index + AscendingSearch.lastAtMost(dropped.length, i -> dropped[i] - i, index) + 1;
  }
}
