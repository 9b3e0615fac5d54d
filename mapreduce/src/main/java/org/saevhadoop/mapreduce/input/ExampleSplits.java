package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.reader.RecordSelection;

/** Divides the input of a job into splits. No data file is opened. */
final class ExampleSplits {
  private ExampleSplits() {}

  /** Returns the splits of a dataset, in the order of its examples. */
  static List<ExampleSplit> of(
      TableDataset dataset, RecordSelection selection, SplitSizes sizes, StorageBlocks blocks)
      throws IOException {
    List<ExampleSplit> splits = new ArrayList<>();
    if (dataset.shards().isEmpty()) {
      return splits;
    }
    long readBytes = Math.max(1, selection.exampleBytes(dataset.table()));
    String first = dataset.folder().path(dataset.shards().get(0).name());
    SplitPlanner planner =
        new SplitPlanner(readBytes, sizes.goal(blocks.size(first)), selection.group());
    SplitHosts hosts =
        new SplitHosts(
            dataset,
            selection.order().columns(),
            shard -> blocks.locations(dataset.folder().path(shard.name())));
    for (SplitPlanner.Range range : planner.plan(dataset.shards().list())) {
      splits.add(
          new ExampleSplit(
              range.first(), range.count(), range.count() * readBytes, hosts.of(range)));
    }
    return splits;
  }
}
