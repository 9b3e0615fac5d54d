package org.saevhadoop.format.samediff.sdnb;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * The first 32 bytes of an SDNB file, big-endian: the magic number "SDNB", the version (int32), the
 * offset and the length of the manifest, and the offset of the FlatBuffer, which is always 32
 * (SameDiffSerializer of deeplearning4j master 0db14318).
 *
 * @param manifestOffset the offset of the manifest in bytes
 * @param manifestLength the length of the manifest in bytes; 0 if no array is appended
 */
record SdnbHeader(long manifestOffset, long manifestLength) {
  /** Length of the header in bytes, which is also the offset of the FlatBuffer. */
  static final int BYTES = 32;

  static final int MAGIC = 0x53444e42;

  private static final int VERSION = 1;

  /** Minimum length of a FlatBuffer in bytes: it has at least a root offset and a vtable. */
  private static final int MIN_GRAPH_BYTES = 8;

  /**
   * Reads and checks a header. The version is not checked, because the real loaders ignore it.
   *
   * @throws FormatException if the file is not SDNB, or the manifest extends beyond it
   */
  static SdnbHeader read(Input file) throws IOException {
    long length = file.length();
    SdnbError.BAD_HEADER.check(
        length >= BYTES + MIN_GRAPH_BYTES,
        file.path(),
        "has %d bytes (expected an SDNB file of at least %d)",
        length,
        BYTES + MIN_GRAPH_BYTES);
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    file.readFully(0, bytes);
    bytes.flip();
    SdnbError.BAD_HEADER.check(
        SdnbFile.isAt(bytes), file.path(), "does not begin with SDNB, at byte 0");
    bytes.position(SdnbFile.MAGIC_BYTES + Integer.BYTES);
    SdnbHeader header = new SdnbHeader(bytes.getLong(), bytes.getLong());
    long graph = bytes.getLong();
    SdnbError.BAD_HEADER.check(
        graph == BYTES,
        file.path(),
        "places its graph at byte %d, at byte 24 (expected %d)",
        graph,
        BYTES);
    SdnbError.BAD_HEADER.check(
        header.manifestOffset >= BYTES + MIN_GRAPH_BYTES && header.manifestOffset <= length,
        file.path(),
        "places its manifest at byte %d, at byte 8 (expected %d to %d)",
        header.manifestOffset,
        BYTES + MIN_GRAPH_BYTES,
        length);
    SdnbError.BAD_HEADER.check(
        header.manifestLength >= 0 && header.manifestLength <= length - header.manifestOffset,
        file.path(),
        "declares a manifest of %d bytes from byte %d on, at byte 16 (expected at most %d)",
        header.manifestLength,
        header.manifestOffset,
        length - header.manifestOffset);
    return header;
  }

  void writeTo(ByteBuffer out) {
    out.putInt(MAGIC)
        .putInt(VERSION)
        .putLong(manifestOffset)
        .putLong(manifestLength)
        .putLong(BYTES);
  }
}
