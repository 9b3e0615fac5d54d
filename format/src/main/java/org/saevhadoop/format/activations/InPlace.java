package org.saevhadoop.format.activations;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.pickle.Payloads;

/**
 * The payloads of a pickle that is not compressed: they are in its file already. What is added once
 * it has been read goes to a spool.
 */
final class InPlace implements Payloads {
  private static final long IN_SPOOL = 1L << 62;

  private final Input file;
  private final Spool spool;
  private boolean isRead;

  InPlace(Input file, Spool spool) {
    this.file = file;
    this.spool = spool;
  }

  /** Ends the reading of the pickle. */
  void readWhole() {
    isRead = true;
  }

  @Override
  public long begin(long streamPosition) {
    return isRead ? spool.begin(streamPosition) | IN_SPOOL : streamPosition;
  }

  @Override
  public void append(ByteBuffer piece) throws IOException {
    if (isRead) {
      spool.append(piece);
    } else {
      piece.position(piece.limit());
    }
  }

  @Override
  public void read(long position, ByteBuffer dst) throws IOException {
    if (position >= IN_SPOOL) {
      spool.read(position ^ IN_SPOOL, dst);
    } else {
      file.readFully(position, dst);
    }
  }
}
