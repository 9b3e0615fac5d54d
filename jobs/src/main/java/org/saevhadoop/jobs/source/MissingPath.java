package org.saevhadoop.jobs.source;

import java.io.IOException;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.settings.NearestWord;
import org.saevhadoop.format.storage.StoragePath;

/** Existing entries near a path that does not exist, for error messages. */
final class MissingPath {
  private static final int MAX_LISTED = 10_000;
  private static final int MAX_EDITS = 2;

  private MissingPath() {}

  /**
   * Returns the error for a path that does not exist. Its message names the nearest existing folder
   * above the path, and the most similar name in that folder.
   *
   * @param error the error to return if no existing entry is found
   */
  static FormatException error(StoragePath path, FormatException error) {
    try {
      StoragePath run = RunPaths.of(path);
      if (run.kind() == StoragePath.Kind.FOLDER) {
        return FileError.NOT_FOUND
            .in(
                error.path(),
                "no such file or directory (expected a dataset; %s is the folder of a run that is"
                    + " writing it, or was interrupted: its command, with --resume, continues it)",
                run.shown())
            .causedBy(error);
      }
      StoragePath missing = path;
      StoragePath parent = path.parent();
      while (parent != null && parent.kind() == StoragePath.Kind.MISSING) {
        missing = parent;
        parent = parent.parent();
      }
      String there = parent == null ? "" : there(parent, path, Quote.show(missing.name()));
      return there.isEmpty()
          ? error
          : FileError.NOT_FOUND
              .in(error.path(), "no such file or directory (expected a dataset; %s)", there)
              .causedBy(error);
    } catch (IOException e) {
      return error;
    }
  }

  /**
   * Returns a description of the existing entries; empty if there is only a folder that does not
   * contain the name.
   */
  private static String there(StoragePath parent, StoragePath missing, String name)
      throws IOException {
    if (parent.kind() == StoragePath.Kind.FILE) {
      return parent.shown() + " is a file";
    }
    String similar = similar(parent, name);
    if (similar.isEmpty()) {
      boolean isObvious = Quote.show(missing.name()).equals(name);
      return isObvious ? "" : "%s has no %s".formatted(parent.shown(), name);
    }
    return "%s has no %s, but %s".formatted(parent.shown(), name, similar);
  }

  /** Returns the most similar name in a folder; empty if none is similar. */
  private static String similar(StoragePath folder, String name) throws IOException {
    String best = "";
    int fewest = Math.min(MAX_EDITS, (name.length() + 1) / 3) + 1;
    for (String entry : folder.names(MAX_LISTED)) {
      String other = Quote.show(entry);
      boolean isSimilar = other.equalsIgnoreCase(name) || other.startsWith(name + ".");
      int edits = isSimilar ? 0 : NearestWord.edits(name, other);
      if (edits < fewest) {
        best = other;
        fewest = edits;
      }
    }
    return best;
  }
}
