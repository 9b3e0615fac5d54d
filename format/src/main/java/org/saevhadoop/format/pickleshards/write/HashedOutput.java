package org.saevhadoop.format.pickleshards.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Sha256;

/** Output that computes the SHA-256 of the data. */
record HashedOutput(Output file, MessageDigest sha256) implements Output.Filter {
  HashedOutput(Output file) {
    this(file, Sha256.digest());
  }

  /**
   * Returns the digest of all data in hexadecimal. This method must be called once, after the last
   * write.
   */
  String digest() {
    return Sha256.text(sha256);
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    sha256.update(src.duplicate());
    file.write(src);
  }
}
