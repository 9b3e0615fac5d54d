package org.saevhadoop.mapreduce.spi;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.tensor.DType;

/** Steps through the arrays of a file, in the order in which they are recorded. */
public interface ArrayCursor extends Closeable {
  /** Moves to the next array; false at the end. */
  boolean next() throws IOException;

  /** Returns the id of the array's sample. */
  long sample();

  /** Returns the array's layer. */
  int layer();

  /** Returns the type of its values. */
  DType dtype();

  /** Returns its dimensions. */
  long[] shape();

  /**
   * Returns its bytes in C order, little-endian, which the next call of {@link #next} takes back.
   */
  ByteBuffer bytes() throws IOException;
}
