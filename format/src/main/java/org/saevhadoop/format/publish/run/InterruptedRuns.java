package org.saevhadoop.format.publish.run;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.Entry;
import org.saevhadoop.format.storage.StoragePath;

/** Finds interrupted runs that left their folder behind and may be continued. */
public final class InterruptedRuns {
  private InterruptedRuns() {}

  /**
   * Returns the record of the interrupted run that began to write a dataset.
   *
   * @param published the path to which the dataset is published
   * @param source the path of the dataset that is read
   * @param beside whether the run may have written to another path in the same folder, because the
   *     name of the dataset depends on decisions of the run
   */
  public static Optional<RunRecord> find(
      StoragePath published, String source, boolean beside, RunStorage storage) throws IOException {
    Optional<RunRecord> exact = record(storage, RunPaths.of(published), source);
    if (exact.isPresent() || !beside) {
      return exact;
    }
    try {
      for (Entry entry : storage.list(published.folderAbove())) {
        StoragePath folder = published.folderAbove().child(entry.name());
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

  private static Optional<RunRecord> record(RunStorage storage, StoragePath folder, String source)
      throws IOException {
    return new RunFiles(storage, folder).record().filter(record -> record.source().equals(source));
  }
}
