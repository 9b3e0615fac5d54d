package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.plan.FreeSpace;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.output.CommittedFiles;

/**
 * Compares the size of the data files to be written with the free space, if both are known: the
 * length of compressed files is unknown, and documents and sample metadata are not counted.
 *
 * @param published the path at which the dataset is published
 * @param space whether the free space is compared
 * @param quota whether the quota of the folder is also compared
 * @param warnings accepts a warning if the quota is unknown
 */
public record SpaceCheck(
    StoragePath published, boolean space, boolean quota, Consumer<String> warnings) {
  /** Returns the check that the settings of a conversion request. */
  public static SpaceCheck of(Settings settings, StoragePath published, JobRunner runner) {
    return new SpaceCheck(
        published,
        settings.get(ConversionKeys.SPACE_CHECK),
        settings.get(ConversionKeys.QUOTA_CHECK),
        runner::warning);
  }

  /**
   * Checks that the data files fit.
   *
   * @param committed the files that have already been written
   * @throws FormatException if they do not fit
   */
  void check(WritePlan plan, CommittedFiles committed) throws IOException {
    long bytes = 0;
    for (long i = 0; i < plan.shardCount(); i++) {
      bytes += Math.max(0, plan.expectedBytes(i)); // negative if it is unknown
    }
    check(0, bytes - committed.bytes());
  }

  /**
   * Checks that data files fit on the disk together with temporary files, which are in a folder
   * next to the data files.
   *
   * @param files the total length in bytes of the data files; null if it is unknown
   * @throws FormatException if they do not fit
   */
  public void check(long temporary, @Nullable Long files) throws IOException {
    if (!space) {
      return;
    }
    long bytes = temporary + Math.max(0, files == null ? 0 : files);
    FreeSpace free = FreeSpace.of(published.folderAbove());
    if (free.bytes() == null) {
      return;
    }
    long stored = bytes * published.copies();
    String names = temporary > 0 ? "data files and the temporary files" : "data files";
    require(names, stored, free.bytes(), free.existing());
    if (quota) {
      checkQuota(free.existing(), names, stored);
    }
  }

  private void checkQuota(StoragePath folder, String names, long stored) throws IOException {
    try {
      OptionalLong left = folder.quotaLeft();
      if (left.isPresent()) {
        require(names, stored, left.getAsLong(), folder);
      }
    } catch (AccessDeniedException e) {
      warnings.accept(
          "the quota of %s is unknown: a folder below it may not be read"
              .formatted(folder.shown()));
    }
  }

  private void require(String names, long bytes, long free, StoragePath folder) throws IOException {
    FileError.NO_SPACE.check(
        bytes <= free,
        published.shown(),
        "the %s need %s, but %s is free in %s (expected room for them, or --no-space-check)",
        names,
        ByteSizes.show(bytes),
        ByteSizes.show(Math.max(0, free)),
        folder.shown());
  }
}
