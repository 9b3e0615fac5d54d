package org.saevhadoop.jobs.merge;

import java.io.IOException;
import java.util.Optional;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.mapreduce.job.ConversionKeys;

/** The path that the user names, which must not exist. */
final class MergeDestination {
  private MergeDestination() {}

  /**
   * Checks that the path contains nothing except leftovers of an interrupted run. If the user omits
   * the path, the last source is taken as the path.
   *
   * @throws FormatException if the path exists
   */
  static void check(StoragePath path, Settings settings, JobRunner runner) throws IOException {
    RunStorage storage = runner.storage(path);
    if (storage.kind(path) == EntryKind.ABSENT) {
      return;
    }
    Optional<DatasetFormat> found = dataset(path, runner);
    boolean resumed = settings.get(ConversionKeys.RESUME);
    if (found.isPresent()) {
      FileError.ALREADY_EXISTS.check(
          resumed && storage.kind(RunPaths.of(path)) != EntryKind.ABSENT,
          path.shown(),
          "is a dataset in %s format and the last path, where the result is written (expected a new"
              + " path after the source paths)",
          found.get().name());
    }
    FileError.ALREADY_EXISTS.check(
        resumed,
        path.shown(),
        "already exists and is the last path, where the result is written (expected a new path, or"
            + " --resume after an interrupted merge)");
  }

  private static Optional<DatasetFormat> dataset(StoragePath path, JobRunner runner) {
    try {
      return runner.formats().find(path.locate());
    } catch (IOException e) {
      return Optional.empty(); // the dataset of another user, or an unfinished one
    }
  }
}
