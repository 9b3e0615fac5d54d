package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes SHA-256 digests (FIPS 180-4) in lowercase hexadecimal. */
public final class Sha256 {
  private static final int READ_BYTES = 1 << 20;

  @FunctionalInterface
  public interface Reader {
    /** Fills a buffer with bytes, starting at an offset. */
    void read(long offset, ByteBuffer dst) throws IOException;
  }

  private Sha256() {}

  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  public static byte[] of(ByteBuffer bytes) {
    MessageDigest digest = digest();
    digest.update(bytes);
    return digest.digest();
  }

  public static String text(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Returns the SHA-256 of the first {@code length} bytes of a reader. */
  public static String of(long length, Reader reader) throws IOException {
    MessageDigest sha256 = digest();
    ByteBuffer buffer = Input.buffer((int) Math.min(READ_BYTES, length));
    for (long done = 0; done < length; done += buffer.limit()) {
      reader.read(done, buffer.clear().limit((int) Math.min(READ_BYTES, length - done)));
      sha256.update(buffer.flip());
    }
    return text(sha256);
  }
}
