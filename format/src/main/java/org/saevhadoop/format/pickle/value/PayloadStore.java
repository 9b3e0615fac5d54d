package org.saevhadoop.format.pickle.value;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where the long byte strings of a pickle are while it is read: on a disk, never in memory. They
 * come one after another, each in pieces.
 */
public interface PayloadStore {
  /** The position of bytes that were made of others. */
  long MADE = -1;

  /**
   * Begins the next one.
   *
   * @param streamPosition of its first byte in the pickle; {@link #MADE} where it does not stand
   *     there as it is
   * @return where {@link #read} will find it
   */
  long begin(long streamPosition) throws IOException;

  /** Takes all of {@code piece}, which follows what was taken before. */
  void append(ByteBuffer piece) throws IOException;

  /** Fills {@code dst} with bytes that were taken, from {@code position} on. */
  void read(long position, ByteBuffer dst) throws IOException;
}
