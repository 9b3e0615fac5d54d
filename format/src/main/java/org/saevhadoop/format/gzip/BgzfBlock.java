package org.saevhadoop.format.gzip;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.saevhadoop.format.io.Input;

/** A BGZF block: at most 64 KiB in the file, and at most 64 KiB inflated. */
final class BgzfBlock {
  /** Maximum size in bytes, both in the file and inflated. */
  static final int MAX_BYTES = 1 << 16;

  private final ByteBuffer in = Input.buffer(MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer out = ByteBuffer.allocateDirect(MAX_BYTES);

  /** Takes a block of {@code size} bytes; only the bytes after its header are kept. */
  void take(ByteBuffer src, int header, int size) {
    in.clear().put(src.slice(src.position() + header, size - header)).flip();
    src.position(src.position() + size);
  }

  /** Returns the inflated bytes after {@link #inflate} returned true. */
  ByteBuffer inflated() {
    return out;
  }

  /** Inflates the block; returns whether the data is valid and ends at the size of the block. */
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
      return false; // The error is reported when the block is read again as a member.
    } finally {
      inflater.end();
    }
    out.flip();
    CRC32 crc = new CRC32();
    crc.update(out.duplicate());
    return !in.hasRemaining() && storedLength == out.limit() && storedCrc == (int) crc.getValue();
  }
}
