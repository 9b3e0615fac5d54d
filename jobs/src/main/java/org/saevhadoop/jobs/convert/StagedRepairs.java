package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.JobRunner;

/**
 * Repetitions of a conversion whose staged data turns out to be damaged. Readers leave the names of
 * damaged files in the folder, as tasks on a cluster have no other way to report them.
 */
final class StagedRepairs {
  /**
   * The maximum number of times that a file is made again, because a failing disk would damage it
   * each time.
   */
  private static final int MAX_REPAIRS = 3;

  private final List<StoragePath> folders;
  private final JobRunner runner;
  private final Map<String, Integer> repairs = new HashMap<>();

  /**
   * Creates a series of repetitions that read folders of staged data; the folders do not have to
   * exist yet.
   */
  StagedRepairs(List<StoragePath> folders, JobRunner runner) {
    this.folders = List.copyOf(folders);
    this.runner = runner;
  }

  /**
   * Discards the records of damage that an interrupted run has left: damage that was not repaired
   * will be found again.
   */
  void begin() throws IOException {
    damaged();
  }

  /**
   * Returns, after a warning, whether a conversion has failed because of damage and should be
   * repeated.
   */
  boolean isRepairable(Exception failure) {
    List<StoragePath> damaged;
    try {
      damaged = damaged();
    } catch (IOException e) {
      failure.addSuppressed(e);
      return false;
    }
    boolean repairable = !damaged.isEmpty();
    for (StoragePath file : damaged) {
      repairable &= repairs.merge(file.shown(), 1, Integer::sum) <= MAX_REPAIRS;
    }
    if (repairable) {
      damaged.forEach(
          file -> runner.warning("%s is damaged; it is made again".formatted(file.shown())));
    }
    return repairable;
  }

  private List<StoragePath> damaged() throws IOException {
    List<StoragePath> damaged = new ArrayList<>();
    for (StoragePath folder : folders) {
      if (folder.kind() == StoragePath.Kind.FOLDER) {
        StagedFolder.of(folder.folder())
            .takeDamaged()
            .forEach(name -> damaged.add(folder.child(name)));
      }
    }
    return damaged;
  }
}
