package org.saevhadoop.format.pickleshards.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.pickle.value.PayloadStore;

/**
 * Payloads of an uncompressed pickle, which are read from the file itself. Derived payloads go to a
 * spool.
 */
final class InPlacePayloads implements PayloadStore {
  private static final long IN_SPOOL = 1L << 62;

  private final Input file;
  private final LocalSpool spool;
  private boolean isMade;

  InPlacePayloads(Input file, LocalSpool spool) {
    this.file = file;
    this.spool = spool;
  }

  /** Returns whether the payload at a position was derived and is not in the file. */
  static boolean isMade(long position) {
    return position >= IN_SPOOL;
  }

  @Override
  public long begin(long streamPosition) {
    isMade = streamPosition == MADE;
    return isMade ? spool.length() | IN_SPOOL : streamPosition;
  }

  @Override
  public void append(ByteBuffer piece) throws IOException {
    if (isMade) {
      spool.append(piece);
    } else {
      piece.position(piece.limit());
    }
  }

  @Override
  public void read(long position, ByteBuffer dst) throws IOException {
    if (isMade(position)) {
      spool.read(position ^ IN_SPOOL, dst);
    } else {
      file.readFully(position, dst);
    }
  }
}
