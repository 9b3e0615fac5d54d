package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.mapreduce.job.ExampleRange;

/**
 * The files of a dataset that tasks have committed, and the examples of missing files.
 *
 * @param files the number of complete files
 * @param bytes the total length of the complete files in bytes
 * @param missing the examples of the missing files, in ascending order
 */
public record CommittedFiles(long files, long bytes, List<ExampleRange> missing) {
  public CommittedFiles {
    missing = List.copyOf(missing);
  }

  /**
   * Finds the complete files of a dataset in a folder. As companions are committed before their
   * data file, a data file with its planned length is complete.
   */
  public static CommittedFiles in(Folder folder, WritePlan plan) throws IOException {
    SortedMap<String, Long> found = folder.files();
    List<ExampleRange> missing = new ArrayList<>();
    long complete = 0;
    long bytes = 0;
    long first = -1;
    for (long i = 0; i < plan.shardCount(); i++) {
      ShardPlan shard = plan.shard(i);
      Long length = found.get(shard.name());
      boolean whole = length != null && isWhole(shard, length);
      if (whole && first >= 0) {
        missing.add(new ExampleRange(first, shard.first() - first));
        first = -1;
      } else if (!whole && first < 0) {
        first = shard.first();
      }
      complete += whole ? 1 : 0;
      bytes += whole ? length(plan, i, found) : 0;
    }
    if (first >= 0) {
      missing.add(new ExampleRange(first, plan.table().examples() - first));
    }
    return new CommittedFiles(complete, bytes, missing);
  }

  /**
   * Finds the files of a published dataset, which are all complete. Unlike {@link #in}, this does
   * not read the source, whose staged ids may have been removed.
   */
  public static CommittedFiles published(Folder folder, WritePlan plan) throws IOException {
    SortedMap<String, Long> found = folder.files();
    long bytes = 0;
    for (long i = 0; i < plan.shardCount(); i++) {
      for (String name : plan.names(i)) {
        bytes += found.getOrDefault(name, 0L);
      }
    }
    return new CommittedFiles(plan.shardCount(), bytes, List.of());
  }

  /** Returns the total length of a data file and its companions. */
  private static long length(WritePlan plan, long index, SortedMap<String, Long> found) {
    return plan.files(index).stream().mapToLong(file -> found.getOrDefault(file.name(), 0L)).sum();
  }

  /** Returns the result if nothing has been committed. */
  public static CommittedFiles none(WritePlan plan) {
    return new CommittedFiles(0, 0, List.of(new ExampleRange(0, plan.table().examples())));
  }

  /** Returns whether a file has its planned length. */
  static boolean isWhole(ShardPlan shard, long length) {
    return shard.length() == ShardPlan.UNKNOWN ? length > 0 : length == shard.length();
  }

  /** Returns the number of examples that are missing. */
  public long missingExamples() {
    return missing.stream().mapToLong(ExampleRange::count).sum();
  }
}
