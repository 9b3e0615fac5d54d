package org.saevhadoop.mapreduce.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.mapreduce.spi.TensorListing;

/**
 * The tensors of an open file. Each one is read from the header when it is visited.
 *
 * @param file the open file
 * @param header the header of the file
 * @param name the file name in the items; null if they contain none
 * @param digests whether the tensors are read to compute their SHA-256
 */
record HeaderListing(Input file, SafetensorsHeader header, String name, boolean digests)
    implements TensorListing {
  private static final int READ_BYTES = 1 << 20;

  @Override
  public String title() {
    return "tensors";
  }

  @Override
  public long count() {
    return header.tensors().size();
  }

  @Override
  public void forEach(Visitor visitor) throws IOException {
    ByteBuffer buffer = digests ? ByteBuffer.allocateDirect(READ_BYTES) : null;
    for (TensorInfo tensor : header.tensors()) {
      visitor.visit(
          new Item(
              tensor.name(),
              null,
              tensor.dtype().name(),
              tensor.shape().stream().mapToLong(Long::longValue).toArray(),
              tensor.begin(),
              tensor.end(),
              name,
              null,
              digests ? sha256(tensor, buffer) : null,
              null));
    }
  }

  private String sha256(TensorInfo tensor, ByteBuffer buffer) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    for (long at = tensor.begin(); at < tensor.end(); at += buffer.limit()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), tensor.end() - at));
      file.readFully(header.dataStart() + at, buffer);
      digest.update(buffer.flip());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  @Override
  public Map<String, String> metadata() {
    return header.metadata();
  }

  /** Returns null: a header is either valid or rejected. */
  @Override
  public List<String> warnings() {
    return null;
  }
}
