package org.saevhadoop.format.storage;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.UUID;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.storage.RunStorage.EntryKind;

/**
 * A file that is replaced as a whole: the content is written to a temporary file in the same
 * folder, forced to the disk, and renamed, so the path always refers to the complete old or new
 * file.
 *
 * @param storage the storage of the path
 */
public record ReplacedFile(StoragePath path, RunStorage storage) {
  /**
   * Checks that the file can be created, without writing anything.
   *
   * @param overwrite whether an existing file may be replaced
   * @throws FormatException if the existing entry at the path must not be replaced, or if the
   *     folder of a local file does not exist
   */
  public void check(boolean overwrite) throws IOException {
    EntryKind kind = storage.kind(path);
    FileError.ALREADY_EXISTS.check(
        overwrite || kind == EntryKind.ABSENT,
        path.shown(),
        "already exists (expected another path, or --overwrite)");
    FileError.NOT_REPLACEABLE.check(
        kind == EntryKind.ABSENT || kind == EntryKind.FILE,
        path.shown(),
        "cannot be replaced: it is not a file (expected a file, or another path)");
    if (path.isLocal() && storage.kind(path.folderAbove()) == EntryKind.ABSENT) {
      throw missingFolder();
    }
  }

  /**
   * Writes the file, replacing an existing one.
   *
   * @throws FormatException if the storage does not allow writing the file, or has no space
   */
  public void write(byte[] content) throws IOException {
    StoragePath folder = path.folderAbove();
    if (!path.isLocal()) {
      storage.createFolders(folder);
    }
    StoragePath unfinished = folder.child("." + UUID.randomUUID());
    try {
      storage.write(unfinished, content);
      storage.replace(unfinished, path);
      storage.force(folder);
    } catch (IOException e) {
      throw failure(e);
    } finally {
      storage.delete(RunStorage.unfinished(unfinished));
      storage.delete(unfinished);
    }
  }

  private FormatException missingFolder() {
    return FileError.NOT_FOUND.in(path.shown(), "cannot be written: its directory does not exist");
  }

  private IOException failure(IOException e) {
    IOException cause =
        e instanceof FormatException && e.getCause() instanceof IOException own ? own : e;
    if (cause instanceof NoSuchFileException) {
      return missingFolder().causedBy(cause);
    }
    return storage.writeFailure(path, cause);
  }
}
