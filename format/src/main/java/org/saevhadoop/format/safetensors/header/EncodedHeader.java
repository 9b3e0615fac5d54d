package org.saevhadoop.format.safetensors.header;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A header in its encoded form, ready to be written.
 *
 * @param bytes the beginning of the file up to the data; read-only
 * @param tensors the tensors in the order in which their data must follow, without gaps
 */
public record EncodedHeader(ByteBuffer bytes, List<TensorInfo> tensors) {
  public EncodedHeader {
    bytes = bytes.asReadOnlyBuffer();
    tensors = List.copyOf(tensors);
  }

  /** Returns a new buffer at position 0. */
  @Override
  public ByteBuffer bytes() {
    return bytes.duplicate();
  }

  /** Returns a copy of the bytes. */
  public byte[] toByteArray() {
    byte[] copy = new byte[bytes.remaining()];
    bytes().get(copy);
    return copy;
  }

  /** Returns the size of all tensors in bytes. */
  public long dataBytes() {
    return tensors.isEmpty() ? 0 : tensors.get(tensors.size() - 1).end();
  }

  /** Returns the size of the whole file in bytes. */
  public long fileBytes() {
    return bytes.remaining() + dataBytes();
  }
}
