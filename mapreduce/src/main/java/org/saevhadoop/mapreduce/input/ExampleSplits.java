package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.mapreduce.job.ExampleRange;

/**
 * Divides the input of a job into splits. No data file is opened. If a sample of the examples is
 * read, splits have equal numbers of bytes to read; splits without bytes to read are left out.
 */
final class ExampleSplits {
  private static final String[] NO_HOSTS = {};

  private ExampleSplits() {}

  /**
   * Returns the splits of a dataset, in the order of its examples.
   *
   * @param goal returns the target size of a split in bytes, given the size of a storage block
   * @param only the examples to which splits are restricted; null for all
   */
  static List<ExampleSplit> of(
      TableDataset dataset,
      RecordSelection selection,
      LongUnaryOperator goal,
      StorageBlocks blocks,
      List<ExampleRange> only)
      throws IOException {
    List<ExampleSplit> splits = new ArrayList<>();
    if (dataset.shards().isEmpty()) {
      return splits;
    }
    long readBytes = Math.max(1, selection.exampleBytes(dataset.table()));
    String first = dataset.folder().path(dataset.shards().get(0).name());
    long blockSize = blocks.size(first);
    List<ExampleRange> ranges =
        SplitPlanner.ranges(dataset, selection, goal.applyAsLong(blockSize), only);
    List<String[]> hosts =
        blocks.areLocated(first, dataset.shards().size())
            ? new SplitHosts(
                    dataset,
                    selection.order().columns(),
                    blockSize,
                    (shard, offset, length) ->
                        blocks.locations(dataset.folder().path(shard.name()), offset, length))
                .of(ranges)
            : Collections.nCopies(ranges.size(), NO_HOSTS);
    for (int i = 0; i < ranges.size(); i++) {
      ExampleRange range = ranges.get(i);
      splits.add(
          new ExampleSplit(
              range.first(),
              range.count(),
              selection.examplesIn(range.first(), range.count()) * readBytes,
              hosts.get(i)));
    }
    return splits;
  }
}
