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

/** One tensor of an open file. One thread at a time. */
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
   * The tensor of a name in a file, after one or two reads of the file's header; the caller closes
   * it. Empty where the file has none such.
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

  /** Its name, dtype, shape and place, as its file's header has them. */
  public TensorInfo tensor() {
    return tensor;
  }

  /** The path of its file. */
  public String path() {
    return in.path();
  }

  /**
   * Reads data in one read: as many bytes as {@code dst} has left, little endian, row-major.
   *
   * @param offset the first byte, counted from the tensor's own first byte
   * @throws IndexOutOfBoundsException where that is more than the tensor has
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
