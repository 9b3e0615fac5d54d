package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.ShardSlice;

/** Ids of the examples of several sources. Those of a source without ids are its numbers. */
record CombinedIds(SourceExamples examples) implements ExampleIds {
  @Override
  public List<String> ids(long first, long count) throws IOException {
    List<String> ids = new ArrayList<>();
    for (ShardSlice slice : examples.slices(first, count)) {
      ExampleIds own =
          examples.open(slice).ids().orElse(ExampleIds.numbers(slice.shard().examples()));
      ids.addAll(own.ids(slice.start(), slice.examples()));
    }
    return ids;
  }

  @Override
  public int maxBytes() throws IOException {
    int max = 0;
    for (int source : examples.indexes()) {
      SourceFacts facts = examples.sources().facts(source);
      int numbers = ExampleIds.numbers(facts.table().examples()).maxBytes();
      max = Math.max(max, facts.hasIds() ? facts.idBytes() : numbers);
    }
    return max;
  }

  /** Returns false, as there are no ids where all sources only number their examples. */
  @Override
  public boolean areNumbers() {
    return false;
  }
}
