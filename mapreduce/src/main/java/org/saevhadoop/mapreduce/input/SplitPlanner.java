package org.saevhadoop.mapreduce.input;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.mapreduce.job.ExampleRange;

/**
 * Divides a dataset into ranges of examples. Examples have a fixed size, so the plan is exact and
 * no file is opened.
 *
 * @param exampleBytes the size of an example in bytes
 * @param goal the maximum size of a range in bytes; a range of one group is always permitted
 * @param group the number of examples in a group; a range must begin at a multiple of it
 */
public record SplitPlanner(long exampleBytes, long goal, long group) {
  public SplitPlanner {
    if (exampleBytes < 1 || goal < 1 || group < 1) {
      throw new IllegalArgumentException("sizes of a split plan are positive");
    }
  }

  /**
   * Returns the ranges of a dataset that are read at least in part, in ascending order. If a sample
   * of the examples is read, ranges have equal numbers of bytes to read.
   *
   * @param goal the target size of a range in bytes
   * @param only the examples to which ranges are restricted; null for all
   */
  public static List<ExampleRange> ranges(
      TableDataset dataset,
      RecordSelection selection,
      long goal,
      @Nullable List<ExampleRange> only) {
    long readBytes = Math.max(1, selection.exampleBytes(dataset.table()));
    List<ExampleRange> all =
        new SplitPlanner(readBytes, stretched(goal, selection.sample()), selection.group())
            .plan(dataset.shards().list());
    return (only == null ? all : ExampleRange.restrict(all, only))
        .stream().filter(range -> selection.examplesIn(range.first(), range.count()) > 0).toList();
  }

  /** Returns the size of a range of examples whose sample has the given size. */
  private static long stretched(long bytes, @Nullable ExampleSample sample) {
    return sample == null || sample.count() == 0
        ? bytes
        : (long) ((double) bytes * sample.examples() / sample.count());
  }

  /**
   * Returns the ranges in ascending order. With groups of more than one example, a range has as
   * many whole groups as the goal permits. Otherwise ranges follow the files: a large file is
   * divided evenly, and small consecutive files are joined.
   */
  List<ExampleRange> plan(List<Shard> shards) {
    if (shards.isEmpty()) {
      return List.of();
    }
    return group > 1 ? byGroups(shards) : byShards(shards);
  }

  private List<ExampleRange> byGroups(List<Shard> shards) {
    Shard last = shards.get(shards.size() - 1);
    long end = last.first() + last.examples();
    long examples = Math.max(1, goal / exampleBytes / group) * group;
    List<ExampleRange> ranges = new ArrayList<>();
    for (long first = 0; first < end; first += examples) {
      ranges.add(new ExampleRange(first, Math.min(examples, end - first)));
    }
    return ranges;
  }

  private List<ExampleRange> byShards(List<Shard> shards) {
    long most = Math.max(1, goal / exampleBytes);
    List<ExampleRange> ranges = new ArrayList<>();
    long joinedFirst = 0;
    long joined = 0;
    for (Shard shard : shards) {
      if (joined > 0 && joined + shard.examples() > most) {
        ranges.add(new ExampleRange(joinedFirst, joined));
        joined = 0;
      }
      if (joined == 0) {
        joinedFirst = shard.first();
      }
      if (shard.examples() > most) {
        cut(shard, most, ranges);
      } else {
        joined += shard.examples();
      }
    }
    if (joined > 0) {
      ranges.add(new ExampleRange(joinedFirst, joined));
    }
    return ranges;
  }

  private static void cut(Shard shard, long most, List<ExampleRange> ranges) {
    long parts = (shard.examples() - 1) / most + 1;
    long each = shard.examples() / parts;
    long longer = shard.examples() % parts;
    long first = shard.first();
    for (long part = 0; part < parts; part++) {
      long count = each + (part < longer ? 1 : 0);
      ranges.add(new ExampleRange(first, count));
      first += count;
    }
  }
}
