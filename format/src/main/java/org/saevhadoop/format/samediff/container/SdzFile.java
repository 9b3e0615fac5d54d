package org.saevhadoop.format.samediff.container;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
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

  private static final int READ_BYTES = 1 << 20;

  private SdzFile() {}

  /**
   * Opens a file. Closing the result closes the file, as does an error in this method.
   *
   * @throws FormatException with a kind of {@link org.saevhadoop.format.zip.ZipError}
   */
  public static ZipArchive open(Input file) throws IOException {
    return ZipArchive.open(file, NAMES);
  }

  /**
   * Compares an entry with its CRC-32; SDNB files have no checksum.
   *
   * @throws FormatException if the size or the CRC differs
   */
  public static void check(Folder folder, ContainerPart part) throws IOException {
    if (part.entry() == null) {
      return;
    }
    ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
    try (ZipArchive zip = open(folder.open(part.file()));
        ByteSource bytes = zip.read(part.entry())) {
      while (bytes.read(buffer.clear()) >= 0) {
        // the source compares at the end
      }
    }
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
