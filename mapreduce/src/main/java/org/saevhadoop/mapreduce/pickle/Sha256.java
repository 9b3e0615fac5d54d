package org.saevhadoop.mapreduce.pickle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.saevhadoop.format.io.Input;

/** Computes SHA-256 digests (FIPS 180-4) in lower-case hexadecimal. */
final class Sha256 {
  private static final int READ_BYTES = 1 << 20;

  private Sha256() {}

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static String text(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Returns the SHA-256 of a whole file. */
  static String of(Input file) throws IOException {
    MessageDigest sha256 = digest();
    ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    long length = file.length();
    for (long done = 0; done < length; done += buffer.capacity()) {
      file.readFully(done, buffer.clear().limit((int) Math.min(READ_BYTES, length - done)));
      sha256.update(buffer.flip());
    }
    return text(sha256);
  }
}
