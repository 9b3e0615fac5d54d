package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.security.AccessControlException;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.output.CommittedFiles;

/**
 * Compares the size of the data files that will be written with the space that is free, as far as
 * both are known: the length of compressed files is not, and documents and sample metadata are not
 * counted.
 *
 * @param published the path at which the dataset is published
 * @param quota whether a quota of the folder is compared too
 * @param warnings accepts a warning if the quota is unknown
 */
record SpaceCheck(Path published, boolean quota, Consumer<String> warnings, Configuration conf) {
  private static final String HDFS = "hdfs";

  /**
   * Checks that the data files fit.
   *
   * @param committed the files that are written already
   * @throws FormatException if they do not
   */
  void check(WritePlan plan, CommittedFiles committed) throws IOException {
    long bytes = 0;
    for (long i = 0; i < plan.shardCount(); i++) {
      for (ShardPlan file : plan.files(i)) {
        bytes += Math.max(0, file.length()); // negative if it is unknown
      }
    }
    check(Math.max(0, bytes - committed.bytes()));
  }

  private void check(long bytes) throws IOException {
    FileSystem fs = published.getFileSystem(conf);
    Path existing = published.getParent();
    while (existing.getParent() != null && !fs.exists(existing)) {
      existing = existing.getParent();
    }
    if (HadoopFolder.isLocal(fs)) {
      java.nio.file.Path local = Paths.get(existing.toUri().getPath());
      require(bytes, Files.getFileStore(local).getUsableSpace(), existing);
    } else if (HDFS.equals(fs.getUri().getScheme())) {
      long stored = bytes * fs.getDefaultReplication(published);
      require(stored, fs.getStatus(existing).getRemaining(), existing);
      if (quota) {
        checkQuota(fs, existing, stored);
      }
    }
  }

  /**
   * Compares with the quota of a folder. The NameNode walks the subtree of a folder without quota,
   * and refuses if the user may not read a folder in it.
   */
  private void checkQuota(FileSystem fs, Path folder, long stored) throws IOException {
    try {
      QuotaUsage usage = fs.getQuotaUsage(folder);
      if (usage.getSpaceQuota() >= 0) {
        require(stored, usage.getSpaceQuota() - usage.getSpaceConsumed(), folder);
      }
    } catch (AccessControlException e) {
      warnings.accept(
          "the quota of %s is unknown: a folder below it may not be read"
              .formatted(HadoopStorage.show(folder, conf)));
    }
  }

  private void require(long bytes, long free, Path folder) throws IOException {
    FileError.NO_SPACE.check(
        bytes <= free,
        HadoopStorage.show(published, conf),
        "the data files need %s, but %s is free in %s (expected room for them, or --no-space-check)",
        ByteSizes.show(bytes),
        ByteSizes.show(Math.max(0, free)),
        HadoopStorage.show(folder, conf));
  }
}
