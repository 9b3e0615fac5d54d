package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.jobs.plan.FreeSpace;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.output.CommittedFiles;

/**
 * Compares the size of the data files that will be written with the space that is free, as far as
 * both are known: the length of compressed files is not, and documents and sample metadata are not
 * counted.
 *
 * @param published the path at which the dataset is published
 * @param space whether the free space is compared
 * @param quota whether a quota of the folder is compared too
 * @param warnings accepts a warning if the quota is unknown
 */
record SpaceCheck(
    Path published, boolean space, boolean quota, Consumer<String> warnings, Configuration conf) {
  /** Returns the check that the settings of a conversion ask for. */
  static SpaceCheck of(Settings settings, Path published, JobRunner runner) {
    return new SpaceCheck(
        published,
        settings.get(ConversionKeys.SPACE_CHECK),
        settings.get(ConversionKeys.QUOTA_CHECK),
        runner::warning,
        runner.conf());
  }

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
    check(0, bytes - committed.bytes());
  }

  /**
   * Checks that data files fit beside temporary ones, which are in a folder beside them.
   *
   * @param files the length of the data files; null if it is unknown
   * @throws FormatException if they do not
   */
  void check(long temporary, @Nullable Long files) throws IOException {
    if (!space) {
      return;
    }
    long bytes = temporary + Math.max(0, files == null ? 0 : files);
    FileSystem fs = published.getFileSystem(conf);
    FreeSpace free = FreeSpace.of(published.getParent(), conf);
    if (free.bytes() == null) {
      return;
    }
    boolean local = HadoopFolder.isLocal(fs);
    long stored = local ? bytes : bytes * fs.getDefaultReplication(published);
    String names = temporary > 0 ? "data files and the temporary files" : "data files";
    require(names, stored, free.bytes(), free.existing());
    if (!local && quota) {
      checkQuota(fs, free.existing(), names, stored);
    }
  }

  /**
   * Compares with the quota of a folder. The NameNode walks the subtree of a folder without quota,
   * and refuses if the user may not read a folder in it.
   */
  private void checkQuota(FileSystem fs, Path folder, String names, long stored)
      throws IOException {
    try {
      QuotaUsage usage = fs.getQuotaUsage(folder);
      if (usage.getSpaceQuota() >= 0) {
        require(names, stored, usage.getSpaceQuota() - usage.getSpaceConsumed(), folder);
      }
    } catch (AccessControlException e) {
      warnings.accept(
          "the quota of %s is unknown: a folder below it may not be read"
              .formatted(HadoopStorage.show(folder, conf)));
    }
  }

  private void require(String names, long bytes, long free, Path folder) throws IOException {
    FileError.NO_SPACE.check(
        bytes <= free,
        HadoopStorage.show(published, conf),
        "the %s need %s, but %s is free in %s (expected room for them, or --no-space-check)",
        names,
        ByteSizes.show(bytes),
        ByteSizes.show(Math.max(0, free)),
        HadoopStorage.show(folder, conf));
  }
}
