package org.saevhadoop.format.pickle.value;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Storage outside the heap for the long byte strings of a pickle while the pickle is read. Byte
 * strings are added one after another, each in pieces.
 */
public interface PayloadStore {
  /** Stream position of bytes that were derived from other bytes. */
  long MADE = -1;

  /**
   * Begins the next byte string.
   *
   * @param streamPosition the position of its first byte in the pickle; {@link #MADE} if the pickle
   *     does not contain it verbatim
   * @return the position for {@link #read}
   */
  long begin(long streamPosition) throws IOException;

  /**
   * Returns whether all bytes must be appended; if not, bytes that need no check can be skipped.
   */
  default boolean isAppended() {
    return true;
  }

  /** Appends all remaining bytes of {@code piece} to the current byte string. */
  void append(ByteBuffer piece) throws IOException;

  /** Fills {@code dst} with stored bytes from {@code position} on. */
  void read(long position, ByteBuffer dst) throws IOException;
}
