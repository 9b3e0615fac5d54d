package org.saevhadoop.format.samediff.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.zip.ZipWriter;

/** Output to an entry of an SDZ file; closing it completes the entry. */
final class SdzEntryOutput implements Output.Filter {
  private final ZipWriter zip;
  private final String name;
  private final @Nullable LocalSpool spool;
  private final Output target;
  private final CRC32 crc = new CRC32();

  /**
   * Begins an entry.
   *
   * @param path the path of the SDZ file
   * @param length the length of the entry before compression, in bytes
   * @param spool the spool for the bytes of a stored entry; null for a compressed entry
   */
  SdzEntryOutput(String path, ZipWriter zip, String name, long length, @Nullable LocalSpool spool)
      throws IOException {
    this.zip = zip;
    this.name = name;
    this.spool = spool;
    this.target = spool == null ? zip.deflated(name, length) : spool.output(path, 0, 0);
  }

  @Override
  public Output file() {
    return target;
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    if (spool != null) {
      crc.update(src.duplicate());
    }
    target.write(src);
  }

  @Override
  public void close() throws IOException {
    target.close();
    if (spool != null) {
      try (Output entry = zip.stored(name, spool.length(), crc.getValue())) {
        spool.copyTo(entry);
      }
      spool.clear();
    }
  }
}
