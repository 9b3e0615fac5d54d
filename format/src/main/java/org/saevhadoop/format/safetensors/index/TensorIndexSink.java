package org.saevhadoop.format.safetensors.index;

import java.io.Closeable;
import java.io.IOException;
import org.saevhadoop.format.io.Output;

/** Writes the entries of an index to a file, in the order in which it receives them. */
public interface TensorIndexSink extends Closeable {
  /**
   * Creates sinks. The module that depends on parquet-java provides an implementation as a service.
   */
  @FunctionalInterface
  interface Opener {
    /**
     * Creates a sink.
     *
     * @param out the output, to which nothing has been written; the sink closes it
     */
    TensorIndexSink open(Output out) throws IOException;
  }

  /**
   * Appends an entry.
   *
   * @throws org.saevhadoop.format.io.FormatException if a dimension is 2^31 or more, which the
   *     column cannot hold
   * @throws IllegalArgumentException if the entry has no offsets
   */
  void write(TensorIndexEntry entry) throws IOException;

  /** Returns the number of entries written so far. */
  long entries();

  /** Finishes the file and closes the output. After a failed write, the file must not be used. */
  @Override
  void close() throws IOException;
}
