package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.reader.RecordSelection;
import org.saevhadoop.mapreduce.job.ExampleRange;

/** Divides the input of a job into splits. No data file is opened. */
final class ExampleSplits {
  private ExampleSplits() {}

  /**
   * Returns the splits of a dataset, in the order of its examples.
   *
   * @param only the examples to which splits are restricted; null for all
   */
  static List<ExampleSplit> of(
      TableDataset dataset,
      RecordSelection selection,
      SplitSizes sizes,
      StorageBlocks blocks,
      List<ExampleRange> only)
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
    List<ExampleRange> ranges = planner.plan(dataset.shards().list());
    for (ExampleRange range : only == null ? ranges : ExampleRange.restrict(ranges, only)) {
      splits.add(
          new ExampleSplit(
              range.first(), range.count(), range.count() * readBytes, hosts.of(range)));
    }
    return splits;
  }
}
