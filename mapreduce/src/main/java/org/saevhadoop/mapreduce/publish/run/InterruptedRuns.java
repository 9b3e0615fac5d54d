package org.saevhadoop.mapreduce.publish.run;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.publish.storage.RunStorage;
import org.saevhadoop.mapreduce.publish.storage.RunStorage.Entry;

/** Finds runs that have left their folder and may be continued. */
public final class InterruptedRuns {
  private InterruptedRuns() {}

  /**
   * Returns the record of the run that has begun to write a dataset.
   *
   * @param published the path to which the dataset is published
   * @param source the path of the dataset that is read
   * @param beside whether the run may have written to another path of the same folder, because the
   *     name of the dataset depends on what the run decided
   */
  public static Optional<RunRecord> find(
      Path published, String source, boolean beside, Configuration conf) throws IOException {
    RunStorage storage = RunStorage.of(published, conf);
    Optional<RunRecord> exact = record(storage, RunPaths.of(published), source);
    if (exact.isPresent() || !beside) {
      return exact;
    }
    try {
      for (Entry entry : storage.list(published.getParent())) {
        Path folder = PathArgument.child(published.getParent(), entry.name());
        Optional<RunRecord> found =
            RunPaths.isRunFolder(entry.name()) ? record(storage, folder, source) : exact;
        if (found.isPresent()) {
          return found;
        }
      }
    } catch (FileNotFoundException e) {
      return Optional.empty(); // nothing has been written there
    }
    return Optional.empty();
  }

  private static Optional<RunRecord> record(RunStorage storage, Path folder, String source)
      throws IOException {
    return new RunFiles(storage, folder).record().filter(record -> record.source().equals(source));
  }
}
