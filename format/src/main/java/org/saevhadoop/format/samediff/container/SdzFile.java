package org.saevhadoop.format.samediff.container;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.EntryNames;
import org.saevhadoop.format.zip.ZipArchive;

/**
 * An SDZ file: a ZIP archive of SDNB files (SDZSerializer of deeplearning4j, commit 0db14318). Some
 * versions of nd4j read the archive from its beginning, others from its central directory; {@link
 * org.saevhadoop.format.zip} refuses archives in which they would find different entries.
 */
public final class SdzFile {
  /**
   * The names that entries may have. nd4j extracts entries to a temporary directory and fails if an
   * entry has any other name. The length is NAME_MAX of Linux.
   */
  public static final EntryNames NAMES = new EntryNames(255, false);

  /** Position, in the file, of the length of the first entry's name (APPNOTE.TXT 6.3.10, 4.3.7). */
  private static final int FIRST_NAME_LENGTH = 26;

  private static final int FIRST_NAME = 30;

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
   * Checks an entry against its CRC-32; does nothing for an SDNB file, which has no checksum.
   *
   * @throws FormatException if the size or the CRC differs
   */
  public static void check(Folder folder, ContainerPart part) throws IOException {
    if (part.entry() == null) {
      return;
    }
    try (Input sdz = folder.open(part.file())) {
      part.entry().check(sdz);
    }
  }

  /**
   * Returns the entries that may be SDNB files, in the order of their data. nd4j recognizes them by
   * names that begin with {@code model} or end in {@code .sdnb}, and ignores all others.
   */
  public static List<ArchiveEntry> models(ZipArchive archive) {
    return archive.entries().stream().filter(entry -> isModel(entry.name())).toList();
  }

  /** Returns whether an entry with this name may be an SDNB file. */
  public static boolean isModel(String entry) {
    return entry.startsWith("model") || entry.endsWith(ShardName.SUFFIX);
  }

  /**
   * Returns whether an archive that cannot be opened begins with an entry that has the name of an
   * SDNB file.
   */
  static boolean beginsWithModel(Folder folder, String file) throws IOException {
    try (Input in = folder.open(file)) {
      ByteBuffer header = ByteBuffer.allocate((int) Math.min(in.length(), FIRST_NAME + 255));
      in.readFully(0, header);
      header.flip().order(ByteOrder.LITTLE_ENDIAN);
      if (header.limit() < FIRST_NAME) {
        return false;
      }
      int length = Short.toUnsignedInt(header.getShort(FIRST_NAME_LENGTH));
      int end = Math.min(header.limit(), FIRST_NAME + length);
      return isModel(
          new String(header.array(), FIRST_NAME, end - FIRST_NAME, StandardCharsets.ISO_8859_1));
    }
  }
}
