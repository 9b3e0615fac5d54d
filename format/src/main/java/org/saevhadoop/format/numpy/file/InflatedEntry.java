package org.saevhadoop.format.numpy.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * A compressed entry of an archive, inflated to the local disk. Masks are read this way, because
 * their values determine the shape of a dataset before its archives are staged.
 */
record InflatedEntry(String path, LocalSpool spool) implements Input {
  private static final int PIECE_BYTES = 1 << 20;

  /**
   * Inflates an entry.
   *
   * @throws org.saevhadoop.format.io.FormatException if its size or its CRC-32 is wrong
   */
  static InflatedEntry of(Input archive, ArchiveEntry entry) throws IOException {
    String path = archive.path() + "/" + Quote.show(entry.name(), ArrayArchive.MAX_SHOWN);
    LocalSpool spool = LocalSpool.temporary(Path.of(System.getProperty("java.io.tmpdir")));
    try (ByteSource data = entry.read(archive)) {
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
      while (data.read(piece.clear()) >= 0) {
        spool.append(piece.flip());
      }
      return new InflatedEntry(path, spool);
    } catch (IOException | RuntimeException e) {
      spool.close();
      throw e;
    }
  }

  @Override
  public long length() {
    return spool.length();
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.checkRead(this, position, dst);
    spool.read(position, dst);
  }

  @Override
  public void close() throws IOException {
    spool.close();
  }
}
