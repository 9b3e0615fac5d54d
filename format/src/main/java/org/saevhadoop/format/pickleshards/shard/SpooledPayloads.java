package org.saevhadoop.format.pickleshards.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.pickle.value.PayloadStore;

/** Payloads that are appended to a spool, as is necessary for a compressed pickle. */
record SpooledPayloads(LocalSpool spool) implements PayloadStore {
  @Override
  public long begin(long streamPosition) {
    return spool.length();
  }

  @Override
  public void append(ByteBuffer piece) throws IOException {
    spool.append(piece);
  }

  @Override
  public void read(long position, ByteBuffer dst) throws IOException {
    spool.read(position, dst);
  }
}
