package org.saevhadoop.format.safetensors.dataset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.AscendingSearch;

/**
 * A file, and those of its examples that count.
 *
 * @param shard with all of them
 * @param dropped places in the file of those that do not, ascending
 */
record KeptExamples(Shard shard, long[] dropped) {
  KeptExamples(Shard shard) {
    this(shard, new long[0]);
  }

  /** Those of them that are not in a list of numbers of the dataset. */
  KeptExamples without(long[] numbers) {
    long end = shard.first() + shard.examples();
    long[] mine =
        Arrays.stream(numbers)
            .filter(number -> number >= shard.first() && number < end)
            .map(number -> number - shard.first())
            .toArray();
    return new KeptExamples(shard, mine);
  }

  long count() {
    return shard.examples() - dropped.length;
  }

  /** The files with the examples that count, numbered anew. */
  static List<Shard> shards(List<KeptExamples> files) {
    List<Shard> shards = new ArrayList<>();
    long next = 0;
    for (KeptExamples file : files) {
      shards.add(new Shard(file.shard.name(), next, file.count(), file.shard.bytes()));
      next += file.count();
    }
    return shards;
  }

  /** Where the blocks of those that count lie. */
  BlockOffsets placement(BlockOffsets all) {
    return dropped.length == 0 ? all : (index, column) -> all.offset(place(index), column);
  }

  /** Of one thing for each example, those of the examples that count. */
  <T> List<T> of(List<T> all) {
    if (dropped.length == 0) {
      return all;
    }
    List<T> some = new ArrayList<>();
    for (long i = 0; i < count(); i++) {
      some.add(all.get((int) place(i)));
    }
    return some;
  }

  /** The place in the file of the example that is now number {@code index}. */
  private long place(long index) {
    return index + AscendingSearch.lastAtMost(dropped.length, i -> dropped[i] - i, index) + 1;
  }
}
