package org.saevhadoop.format.spi;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;

/** Access to single tensors, by name or, if datasets have keys, by the key of a dataset. */
public interface NamedTensors {
  /**
   * One tensor, open for reading.
   *
   * @param name the name or the key
   * @param path the path of the file that contains the tensor
   * @param byteLength the length in bytes
   * @param bytes reads from an offset in bytes, relative to the beginning of the tensor
   * @param file the open file
   */
  record OpenTensor(
      String name,
      String path,
      DType dtype,
      List<Long> shape,
      long byteLength,
      Sha256.Reader bytes,
      Closeable file)
      implements Closeable {
    /** Fills a buffer with the bytes of the tensor, beginning at an offset. */
    public void read(long offset, ByteBuffer dst) throws IOException {
      bytes.read(offset, dst);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /**
   * Opens a tensor by its name in a file, or in a model whose files are listed in an index.
   *
   * @throws org.saevhadoop.format.io.FormatException if there is no such tensor
   */
  OpenTensor named(Location location, Settings settings, String name) throws IOException;

  /**
   * Returns whether datasets have keys. If they do not, the methods for keys must not be called.
   */
  default boolean hasKeys() {
    return true;
  }

  /**
   * Opens a tensor by its key in a dataset, through the index of the dataset if it has one.
   *
   * @param warnings accepts a warning if the index lacks a key that the files have
   * @throws org.saevhadoop.format.io.FormatException if there is no such tensor
   */
  default OpenTensor keyed(
      Location location, Settings settings, String key, Consumer<String> warnings)
      throws IOException {
    throw new UnsupportedOperationException("tensors have no keys");
  }

  /**
   * Passes all keys of a dataset to a visitor, in the order of the index.
   *
   * @throws org.saevhadoop.format.io.FormatException if the dataset has no index
   */
  default void forEachKey(Location location, Settings settings, Io.Consumer<String> visitor)
      throws IOException {
    throw new UnsupportedOperationException("tensors have no keys");
  }
}
