package org.saevhadoop.format.safetensors.index;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;

/** A single tensor of an open file. Instances are not thread-safe. */
public final class KeyedTensor implements Closeable {
  private final Input in;
  private final long dataStart;
  private final TensorInfo tensor;

  KeyedTensor(Input in, long dataStart, TensorInfo tensor) {
    this.in = in;
    this.dataStart = dataStart;
    this.tensor = tensor;
  }

  /**
   * Opens the tensor with the given name. Reading the header of the file takes one or two reads.
   * The caller must close the result.
   *
   * @return the tensor; empty if the file has no tensor with that name
   */
  public static Optional<KeyedTensor> open(
      Folder folder, String file, String name, HeaderStrictness strictness) throws IOException {
    Input in = folder.open(file);
    try {
      SafetensorsHeader header = SafetensorsHeader.read(in, strictness);
      Optional<TensorInfo> tensor = header.tensor(name);
      if (tensor.isEmpty()) {
        in.close();
      }
      return tensor.map(t -> new KeyedTensor(in, header.dataStart(), t));
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /**
   * Returns the name, dtype, shape and offsets of the tensor as stored in the header of its file.
   */
  public TensorInfo tensor() {
    return tensor;
  }

  /** Returns the path of the file that holds the tensor. */
  public String path() {
    return in.path();
  }

  /**
   * Reads as many bytes as {@code dst} has remaining, in one read. The data is row-major and
   * little-endian.
   *
   * @param offset the first byte to read, relative to the first byte of the tensor
   * @throws IndexOutOfBoundsException if the range exceeds the tensor
   */
  public void read(long offset, ByteBuffer dst) throws IOException {
    if (offset < 0 || dst.remaining() > tensor.byteLength() - offset) {
      throw new IndexOutOfBoundsException(
          "%s: bytes %d to %d of tensor \"%s\" (expected at most %d)"
              .formatted(
                  in.path(), offset, offset + dst.remaining(), tensor.name(), tensor.byteLength()));
    }
    in.readFully(dataStart + tensor.begin() + offset, dst);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
