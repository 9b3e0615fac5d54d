package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;

/**
 * Sources from which the labels, ids and the like of the examples are read, one after another.
 *
 * @param indexes the sources
 * @param ranges the examples of each of them
 */
record SourceExamples(OpenSources sources, List<Integer> indexes, Shards ranges) {
  SourceExamples(OpenSources sources, List<Integer> indexes) {
    this(sources, indexes, ranges(sources, indexes));
  }

  private static Shards ranges(OpenSources sources, List<Integer> indexes) {
    List<Shard> ranges = new ArrayList<>();
    long next = 0;
    for (int source : indexes) {
      long examples = sources.facts(source).table().examples();
      ranges.add(new Shard(sources.path(source), next, examples, 0));
      next += examples;
    }
    return new Shards(ranges);
  }

  /** Returns the slices of sources that contain a range of examples. */
  List<ShardSlice> slices(long first, long count) {
    if (first < 0 || count < 0 || first + count > ranges.examples()) {
      throw new IndexOutOfBoundsException(first + " + " + count);
    }
    return ranges.slices(first, count);
  }

  TableDataset open(ShardSlice slice) throws IOException {
    return sources.get(indexes.get(slice.index()));
  }

  SourceFacts firstFacts() {
    return sources.facts(indexes.get(0));
  }
}
