package org.saevhadoop.mapreduce.samediff;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.saevhadoop.format.gather.StridedReader;
import org.saevhadoop.format.samediff.container.ContainerArray;
import org.saevhadoop.format.samediff.container.ContainerPart;
import org.saevhadoop.format.samediff.container.SameDiffContainer;

/** Computes the SHA-256 of arrays in C order. */
final class ArrayDigest implements Closeable {
  private static final int READ_BYTES = 1 << 20;

  private final StridedReader<ContainerPart> reader;
  private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
  private final MessageDigest sha256;

  ArrayDigest(SameDiffContainer container) {
    this.reader = container.reader();
    try {
      this.sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  String of(ContainerArray array) throws IOException {
    long length = array.array().length();
    for (long at = 0; at < length; at += buffer.limit()) {
      buffer.clear().limit((int) Math.min(READ_BYTES, length - at));
      reader.read(array.stored(), at, buffer);
      sha256.update(buffer.flip());
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
