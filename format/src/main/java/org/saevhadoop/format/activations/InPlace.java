package org.saevhadoop.format.activations;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.pickle.Payloads;

/**
 * The payloads of a pickle that is not compressed: they are in its file already.
 *
 * @param file the pickle
 */
record InPlace(Input file) implements Payloads {
  @Override
  public long begin(long streamPosition) {
    return streamPosition;
  }

  @Override
  public void append(ByteBuffer piece) {
    piece.position(piece.limit());
  }

  @Override
  public void read(long position, ByteBuffer dst) throws IOException {
    file.readFully(position, dst);
  }
}
