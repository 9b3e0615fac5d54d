package org.saevhadoop.format.samediff.sdnb;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The bytes with which every SDNB file begins. */
public final class SdnbMagic {
  /** Number of bytes. */
  public static final int BYTES = 4;

  private static final String MAGIC = "SDNB";

  private SdnbMagic() {}

  static byte[] bytes() {
    return MAGIC.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns whether the next bytes of a buffer are the magic number; its position stays. */
  public static boolean isAt(ByteBuffer buffer) {
    return buffer.remaining() >= BYTES
        && buffer.slice(buffer.position(), BYTES).equals(ByteBuffer.wrap(bytes()));
  }
}
