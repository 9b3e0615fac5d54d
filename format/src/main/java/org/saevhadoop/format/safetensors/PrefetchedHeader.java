package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/** A file whose beginning, as far as the header is expected to go, was read at once. */
record PrefetchedHeader(Input in, ByteBuffer start) implements Input {
  /**
   * Reads the beginning.
   *
   * @param headerBytes what is expected; not trusted
   */
  static PrefetchedHeader read(Input in, long headerBytes) throws IOException {
    long length = in.length();
    FormatException.check(
        headerBytes >= 0 && headerBytes <= SafetensorsHeader.MAX_HEADER_BYTES,
        in.path(),
        "the index speaks of a header of %d bytes (expected at most %d)",
        headerBytes,
        SafetensorsHeader.MAX_HEADER_BYTES);
    FormatException.check(
        HeaderFile.PREFIX + headerBytes <= length,
        in.path(),
        "has %d bytes, less than a header of %d as the index has it: the index is stale",
        length,
        headerBytes);
    ByteBuffer start = ByteBuffer.allocate(Math.toIntExact(HeaderFile.PREFIX + headerBytes));
    in.readFully(0, start);
    return new PrefetchedHeader(in, start.flip().order(ByteOrder.LITTLE_ENDIAN));
  }

  /** What the file itself says of its header's length, unsigned. */
  long headerBytes() {
    return start.getLong(0);
  }

  /**
   * Whether a tensor stands in the header as writers write it. In JSON the same bytes can mean
   * something else only within a field that nobody knows.
   */
  boolean shows(Tensor tensor) {
    byte[] part = HeaderEncoder.part(tensor);
    byte[] bytes = start.array();
    for (int i = HeaderFile.PREFIX + 1; i <= bytes.length - part.length; i++) {
      if (bytes[i] == '"'
          && (bytes[i - 1] == ',' || bytes[i - 1] == '{')
          && Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String path() {
    return in.path();
  }

  @Override
  public long length() throws IOException {
    return in.length();
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    int here = (int) Math.max(0, Math.min(dst.remaining(), start.limit() - position));
    if (here > 0) {
      dst.put(start.slice((int) position, here));
    }
    if (dst.hasRemaining()) {
      in.readFully(position + here, dst);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
