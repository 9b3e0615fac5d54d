package org.saevhadoop.format.samediff.container;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.EntryNames;
import org.saevhadoop.format.zip.ZipArchive;

/**
 * SDZ file: a ZIP archive of SDNB files (SDZSerializer of deeplearning4j, commit 0db14318). nd4j
 * reads it from its beginning or from its central directory, depending on its version; {@link
 * org.saevhadoop.format.zip} refuses archives that show each of them other entries.
 */
public final class SdzFile {
  /**
   * Names of entries: nd4j, which extracts them to a temporary directory, fails for others. The
   * length is NAME_MAX of Linux.
   */
  public static final EntryNames NAMES = new EntryNames(255, false);

  private SdzFile() {}

  /**
   * Opens a file. Closing the result closes the file, as does an error in this method.
   *
   * @throws org.saevhadoop.format.io.FormatException with a kind of {@link
   *     org.saevhadoop.format.zip.ZipError}
   */
  public static ZipArchive open(Input file) throws IOException {
    return ZipArchive.open(file, NAMES);
  }

  /**
   * Returns the entries that may be an SDNB, in the order of their data: those that nd4j takes for
   * one because of their names, which begin with {@code model} or end in {@code .sdnb}. It ignores
   * the others.
   */
  public static List<ArchiveEntry> models(ZipArchive archive) {
    return archive.entries().stream()
        .filter(entry -> entry.name().startsWith("model") || entry.name().endsWith(".sdnb"))
        .toList();
  }
}
