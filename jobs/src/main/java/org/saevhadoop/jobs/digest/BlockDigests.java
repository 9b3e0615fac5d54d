package org.saevhadoop.jobs.digest;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 (FIPS 180-4) of blocks and datasets. */
public final class BlockDigests {
  static final int BYTES = 32;

  private BlockDigests() {}

  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  public static byte[] sha256(ByteBuffer bytes) {
    MessageDigest digest = sha256();
    digest.update(bytes);
    return digest.digest();
  }
}
