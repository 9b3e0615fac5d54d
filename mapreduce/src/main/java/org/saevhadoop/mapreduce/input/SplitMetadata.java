package org.saevhadoop.mapreduce.input;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * The file in which Hadoop passes the hosts of all splits to the application master. The master
 * refuses a file of more than {@code mapreduce.job.split.metainfo.maxsize} bytes, by default 10 MB,
 * which is about 100,000 splits with three hosts each.
 */
final class SplitMetadata {
  private static final long DEFAULT_LIMIT = 10_000_000;
  private static final long HEADER = 64;

  /**
   * The size of three numbers: the number of hosts, the offset in the file of splits, and the
   * length of the split.
   */
  private static final long NUMBERS = 3 * 9;

  private SplitMetadata() {}

  /** Raises the limit of a job, if the job has one and its splits need a higher one. */
  static void permit(List<? extends LocatedSplit> splits, Configuration conf) {
    long limit = conf.getLong(MRJobConfig.SPLIT_METAINFO_MAXSIZE, DEFAULT_LIMIT);
    long bytes = HEADER;
    for (LocatedSplit split : splits) {
      bytes += NUMBERS;
      for (String host : split.getLocations()) {
        bytes += 2 + host.getBytes(StandardCharsets.UTF_8).length;
      }
    }
    if (limit > 0 && bytes > limit) {
      conf.setLong(MRJobConfig.SPLIT_METAINFO_MAXSIZE, bytes);
    }
  }
}
