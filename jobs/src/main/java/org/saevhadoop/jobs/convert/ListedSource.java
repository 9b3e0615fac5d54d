package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.publish.run.SourceState;
import org.saevhadoop.format.storage.StoragePath;

/**
 * The files of the sources at the start of a run. A storage such as a file server may lose a file
 * while it restarts; parts that are already staged remain valid.
 *
 * @param paths the paths of the files
 */
record ListedSource(List<StoragePath> sources, Set<String> paths) {
  static ListedSource of(List<StoragePath> sources) throws IOException {
    return new ListedSource(sources, SourceState.files(sources));
  }

  /**
   * Checks that no file is missing, because parts are numbered by the files that a storage lists.
   *
   * @throws FormatException if a file is missing, which is reported as a failure of the storage
   */
  void check() throws IOException {
    Set<String> found = SourceState.files(sources);
    for (String path : paths) {
      FileError.READ_FAILED.check(
          found.contains(path), path, "no longer exists (expected all files of the source)");
    }
  }

  /** Returns whether a file is missing, or cannot be listed, after a failure. */
  boolean isMissingAny(Exception failure) {
    try {
      check();
      return false;
    } catch (IOException e) {
      failure.addSuppressed(e);
      return true;
    }
  }
}
