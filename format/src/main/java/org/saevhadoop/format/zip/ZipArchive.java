package org.saevhadoop.format.zip;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Input;

/**
 * ZIP archive that is read in place. Opening it reads the central directory and all local headers,
 * and checks that every reader of ZIP archives finds the same entries; at most 65,535 entries and a
 * directory of 64 MiB are accepted. Nothing is extracted, and names are never used as paths.
 *
 * <p>Must be used by one thread at a time, as its {@link Input}.
 */
public final class ZipArchive implements Closeable {
  private final Input file;
  private final List<ArchiveEntry> entries;

  private ZipArchive(Input file, List<ArchiveEntry> entries) {
    this.file = file;
    this.entries = List.copyOf(entries);
  }

  /**
   * Opens an archive. Closing the result closes the file, as does an error in this method.
   *
   * @param names the names that the format of the archive allows
   * @throws org.saevhadoop.format.io.FormatException with a kind of {@link ZipError}
   */
  public static ZipArchive open(Input file, EntryNames names) throws IOException {
    try {
      return new ZipArchive(file, EntryLayout.read(file, names));
    } catch (IOException | RuntimeException e) {
      try (file) {
        throw e;
      }
    }
  }

  /** Returns the entries in the order of their data. */
  public List<ArchiveEntry> entries() {
    return entries;
  }

  /**
   * Returns the data of an entry, from its beginning; several can be read at a time. Closing the
   * result does not close the file.
   *
   * <p>The data of a stored entry may also be read from the file directly, without a check of its
   * CRC-32.
   */
  public ByteSource read(ArchiveEntry entry) {
    return new EntrySource(file, entry);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
