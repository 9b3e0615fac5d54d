package org.saevhadoop.format.gzip;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** A BGZF block: at most 64 KiB as it stands in the file, and at most 64 KiB inflated. */
final class BgzfBlock {
  /** The most of either. */
  static final int MOST = 1 << 16;

  private final ByteBuffer in = ByteBuffer.allocateDirect(MOST).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer out = ByteBuffer.allocateDirect(MOST);

  /** Takes a block of {@code size} bytes; only what follows its header is kept. */
  void take(ByteBuffer src, int header, int size) {
    in.clear().put(src.slice(src.position() + header, size - header)).flip();
    src.position(src.position() + size);
  }

  /** The bytes, once {@link #inflate} was true. */
  ByteBuffer inflated() {
    return out;
  }

  /** Whether the data are right and end where the block's size says. */
  boolean inflate() {
    int end = in.limit() - GzipSource.TRAILER;
    int storedCrc = in.getInt(end);
    int storedLength = in.getInt(end + Integer.BYTES);
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(in.limit(end));
      out.clear();
      while (!inflater.finished()) {
        if (inflater.inflate(out) == 0 && !inflater.finished()) {
          return false;
        }
      }
    } catch (DataFormatException e) {
      return false; // who reads the block again tells what is wrong
    } finally {
      inflater.end();
    }
    out.flip();
    CRC32 crc = new CRC32();
    crc.update(out.duplicate());
    return !in.hasRemaining() && storedLength == out.limit() && storedCrc == (int) crc.getValue();
  }
}
