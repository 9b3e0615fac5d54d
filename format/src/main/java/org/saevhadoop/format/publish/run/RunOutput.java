package org.saevhadoop.format.publish.run;

import java.io.IOException;
import java.util.Optional;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;

/** The place where the tasks of a run write its dataset: in the run's folder or at its path. */
interface RunOutput {
  /**
   * The files that an interrupted run left at the path of its dataset.
   *
   * @param files the number of files, without the marker
   * @param uploads the number of uploads that were not completed
   */
  record Remains(long files, int uploads) {}

  static RunOutput of(RunFiles files, RunRecord run) {
    return run.isDirect()
        ? new DirectOutput(files, files.folder().parse(run.destination()), run.id())
        : new FolderOutput(files);
  }

  /** Returns the folder in which tasks write. */
  StoragePath dataset();

  /** Returns whether the complete dataset was published or removed. */
  boolean hasMoved() throws IOException;

  /** Returns whether the dataset is complete and at its path. */
  default boolean isPublished(RunFiles files, StoragePath destination) throws IOException {
    return files.isComplete()
        && hasMoved()
        && files.storage().kind(destination) != RunStorage.EntryKind.ABSENT;
  }

  /** Returns whether a later run can continue with the files of this one. */
  boolean isOfUse() throws IOException;

  /**
   * Checks that nothing but the dataset of this run is at its path, if tasks write there.
   *
   * @throws FormatException if something else exists at the path
   */
  default void checkFree() throws IOException {}

  /** Marks the path as unfinished, if tasks write there. */
  default void begin() throws IOException {}

  /** Removes the files that tasks have written at the path; the marker stays. */
  default void clear() throws IOException {}

  /**
   * Removes the files that tasks have written at the path, and finally the marker.
   *
   * @return a description of the removed files; empty if the path does not contain the marker of
   *     this run
   */
  default Optional<Remains> remove() throws IOException {
    return Optional.empty();
  }

  /** Output that is written in the folder of the run and moved to its path as a whole. */
  record FolderOutput(RunFiles files) implements RunOutput {
    @Override
    public StoragePath dataset() {
      return files.data();
    }

    @Override
    public boolean hasMoved() throws IOException {
      return files.storage().kind(files.data()) == RunStorage.EntryKind.ABSENT;
    }

    /** On storage systems without folders, files are committed together with the job. */
    @Override
    public boolean isOfUse() throws IOException {
      return files.storage().hasFolders() && files.committed() > 0;
    }
  }
}
