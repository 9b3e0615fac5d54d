package org.saevhadoop.converters;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.saevhadoop.format.io.Input;

/** SHA-256, as the digests of blocks and datasets use it. */
final class Digests {
  static final int BYTES = 32;
  private static final int READ_BYTES = 1 << 20;

  private Digests() {}

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static byte[] sha256(ByteBuffer bytes) {
    MessageDigest digest = sha256();
    digest.update(bytes);
    return digest.digest();
  }

  /** The SHA-256 of a file, in hexadecimal. */
  static String sha256(Input file) throws IOException {
    MessageDigest sha256 = sha256();
    ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    long length = file.length();
    for (long done = 0; done < length; done += buffer.capacity()) {
      file.readFully(done, buffer.clear().limit((int) Math.min(READ_BYTES, length - done)));
      sha256.update(buffer.flip());
    }
    return HexFormat.of().formatHex(sha256.digest());
  }
}
