package org.saevhadoop.format.safetensors.header;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A header ready to be written.
 *
 * @param bytes the file's first bytes, up to where the data starts; read-only
 * @param tensors in the order in which their data must follow, back to back
 */
public record EncodedHeader(ByteBuffer bytes, List<TensorInfo> tensors) {
  public EncodedHeader {
    bytes = bytes.asReadOnlyBuffer();
    tensors = List.copyOf(tensors);
  }

  /** Each call gives a buffer of its own at position 0. */
  @Override
  public ByteBuffer bytes() {
    return bytes.duplicate();
  }

  /** Bytes of all tensors. */
  public long dataBytes() {
    return tensors.isEmpty() ? 0 : tensors.get(tensors.size() - 1).end();
  }

  /** Bytes of the whole file. */
  public long fileBytes() {
    return bytes.remaining() + dataBytes();
  }
}
