package org.saevhadoop.format.pickleshards.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.saevhadoop.format.io.Output;

/** Output that computes the SHA-256 of the data. */
final class HashedOutput implements Output {
  private final Output file;
  private final MessageDigest sha256;

  HashedOutput(Output file) {
    this.file = file;
    try {
      this.sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the digest of all data in hexadecimal. It must be called once, after the last write.
   */
  String digest() {
    return HexFormat.of().formatHex(sha256.digest());
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long position() {
    return file.position();
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    sha256.update(src.duplicate());
    file.write(src);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
