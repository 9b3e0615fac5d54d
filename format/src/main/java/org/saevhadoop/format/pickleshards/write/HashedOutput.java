package org.saevhadoop.format.pickleshards.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Sha256;

/** Output that computes the SHA-256 of the data. */
final class HashedOutput implements Output {
  private final Output file;
  private final MessageDigest sha256 = Sha256.digest();

  HashedOutput(Output file) {
    this.file = file;
  }

  /**
   * Returns the digest of all data in hexadecimal. It must be called once, after the last write.
   */
  String digest() {
    return Sha256.text(sha256);
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
