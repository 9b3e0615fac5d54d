package org.saevhadoop.format.samediff.sdz;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Input;

/**
 * SDZ file: a ZIP archive of SDNB files. Opening it reads the central directory and all local
 * headers, and checks that every reader of ZIP archives finds the same entries; memory is bounded
 * by {@link SdzLimits}. Nothing is extracted, and names are never used as paths.
 *
 * <p>Must be used by one thread at a time, as its {@link Input}.
 */
public final class SdzFile implements Closeable {
  private final Input file;
  private final List<SdzEntry> models;
  private final List<SdzEntry> ignored;

  private SdzFile(Input file, List<SdzEntry> entries) {
    this.file = file;
    models = entries.stream().filter(SdzEntry::isModel).toList();
    ignored = entries.stream().filter(entry -> !entry.isModel()).toList();
  }

  /**
   * Opens a file. Closing the result closes the file, as does an error in this method.
   *
   * @throws org.saevhadoop.format.io.FormatException with a kind of {@link SdzError}
   */
  public static SdzFile open(Input file) throws IOException {
    try {
      return new SdzFile(file, EntryLayout.read(file));
    } catch (IOException | RuntimeException e) {
      try (file) {
        throw e;
      }
    }
  }

  /**
   * Returns the entries that may be an SDNB, in the order of their data: those that nd4j takes for
   * one because of their names, which begin with {@code model} or end in {@code .sdnb}.
   */
  public List<SdzEntry> entries() {
    return models;
  }

  /** Returns the other entries, in the order of their data; nd4j ignores them. */
  public List<SdzEntry> ignored() {
    return ignored;
  }

  /**
   * Returns the data of an entry, from its beginning; several can be read at a time. Closing the
   * result does not close the file.
   *
   * <p>The data of a stored entry may also be read from the file directly, without a check of its
   * CRC-32.
   */
  public ByteSource read(SdzEntry entry) {
    return new EntrySource(file, entry);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
