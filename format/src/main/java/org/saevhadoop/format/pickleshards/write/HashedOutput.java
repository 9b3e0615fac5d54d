package org.saevhadoop.format.pickleshards.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.saevhadoop.format.io.Output;

/** A file and the SHA-256 of what is written to it. */
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

  /** The digest of everything written, in hexadecimal; to be asked once, after the last byte. */
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
