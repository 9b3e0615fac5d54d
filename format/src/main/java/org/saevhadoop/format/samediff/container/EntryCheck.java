package org.saevhadoop.format.samediff.container;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.zip.ZipArchive;

/** Compares an entry of an SDZ file with its CRC-32; SDNB files have no checksum. */
public final class EntryCheck {
  private static final int READ_BYTES = 1 << 20;

  private EntryCheck() {}

  /**
   * Reads an entry to its end.
   *
   * @throws FormatException if the size or the CRC differs
   */
  public static void run(Folder folder, ContainerPart part) throws IOException {
    if (part.entry() == null) {
      return;
    }
    ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
    try (ZipArchive zip = SdzFile.open(folder.open(part.file()));
        ByteSource bytes = zip.read(part.entry())) {
      while (bytes.read(buffer.clear()) >= 0) {
        // the source compares at the end
      }
    }
  }
}
