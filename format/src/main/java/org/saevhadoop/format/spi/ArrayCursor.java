package org.saevhadoop.format.spi;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.tensor.DType;

/** Iterates over the arrays of a file in the order in which they are recorded. */
public interface ArrayCursor extends Closeable {
  /** Advances to the next array, and returns false at the end. */
  boolean next() throws IOException;

  /** Returns the id of the sample to which the array belongs. */
  long sample();

  /** Returns the number of the array's layer in the model. */
  int layer();

  DType dtype();

  long[] shape();

  /**
   * Returns the values in C order, little-endian. The buffer is valid until the next call to {@link
   * #next}.
   */
  ByteBuffer bytes() throws IOException;
}
