package org.saevhadoop.mapreduce.spi;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.conf.Settings;

/** Single tensors under names, or under keys of a dataset. */
public interface NamedTensors {
  /** One tensor, open for reading. */
  interface OpenTensor extends Closeable {
    /** Returns its name, or its key. */
    String name();

    /** Returns the path of its file. */
    String path();

    /** Returns the type of its values. */
    DType dtype();

    /** Returns its dimensions. */
    List<Long> shape();

    /** Returns how many bytes it has. */
    long byteLength();

    /** Fills a buffer with the bytes from an offset into the tensor on. */
    void read(long offset, ByteBuffer dst) throws IOException;
  }

  /**
   * Opens the tensor of a name in a file, or in a model whose files an index names.
   *
   * @throws org.saevhadoop.format.io.FormatException if there is none
   */
  OpenTensor named(Location location, Settings settings, String name) throws IOException;

  /**
   * Opens the tensor of a key of a dataset: through its index if it has one.
   *
   * @throws org.saevhadoop.format.io.FormatException if there is none
   */
  OpenTensor keyed(Location location, Settings settings, String key) throws IOException;

  /** Takes one key after another. */
  @FunctionalInterface
  interface KeyVisitor {
    void visit(String key) throws IOException;
  }

  /**
   * Hands all keys of a dataset to a visitor, in the order of its index.
   *
   * @throws org.saevhadoop.format.io.FormatException if it has no index
   */
  void forEachKey(Location location, Settings settings, KeyVisitor visitor) throws IOException;
}
