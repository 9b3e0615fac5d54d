package org.saevhadoop.format.tokens;

import java.io.Closeable;
import java.io.IOException;
import java.nio.LongBuffer;
import org.saevhadoop.format.api.PublicApi;

/** Reads {@link TokenArrays}. Must not be used by more than one thread at a time. */
@PublicApi
public interface TokenReader extends Closeable {
  /**
   * Fills a buffer with the values of consecutive examples.
   *
   * @param array the index of the array among the names
   * @param first the number of the first example
   * @param dst a buffer whose remaining size is that of a whole number of examples
   */
  void read(int array, long first, LongBuffer dst) throws IOException;
}
