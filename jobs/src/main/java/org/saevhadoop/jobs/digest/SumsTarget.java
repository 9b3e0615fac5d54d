package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.storage.ReplacedFile;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;

/**
 * The path at which a sums file is written. The file is written under a temporary name next to it,
 * forced to the disk, and renamed, so that the path names the old file or the new one.
 *
 * @param storage the storage of the path
 */
public record SumsTarget(StoragePath path, RunStorage storage) {
  /** Returns the path next to a dataset. */
  public static SumsTarget beside(StoragePath dataset, RunStorage storage) throws IOException {
    FileError.NOT_A_FILE.check(
        !dataset.isRoot(),
        dataset.shown(),
        "is a root, next to which no file can be written (expected --save=FILE)");
    return new SumsTarget(dataset.suffix(SumsFile.SUFFIX), storage);
  }

  /**
   * Checks that the path is free, or names a sums file with a digest.
   *
   * @throws FormatException if the path names anything else
   */
  public void check() throws IOException {
    if (path.kind() == StoragePath.Kind.MISSING) {
      return;
    }
    String shown = path.shown();
    Location location = path.locate();
    FileError.NOT_REPLACEABLE.check(
        location.isFile(),
        shown,
        "is not a file (expected a checksum file, or another --save=FILE)");
    String digest;
    try (Input in = location.folder().open(location.file())) {
      digest = SumsParser.read(in).digest();
    } catch (FormatException e) {
      if (e.kind() != DigestError.BAD_SUMS) {
        throw e;
      }
      throw notOurs(shown).causedBy(e);
    }
    if (digest == null) {
      throw notOurs(shown);
    }
  }

  private static FormatException notOurs(String shown) {
    return FileError.NOT_REPLACEABLE.in(
        shown,
        "was not written by digest --save (expected a checksum file, or another --save=FILE)");
  }

  /**
   * Writes the file.
   *
   * @throws FormatException if the path names anything but a sums file with a digest
   */
  public void write(SumsFile sums) throws IOException {
    check();
    new ReplacedFile(path, storage).write(sums.text().getBytes(StandardCharsets.UTF_8));
  }
}
