package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file whose reads may fail or wait.
 *
 * @param onClose what is run when it is closed
 */
public record FaultyInput(Input base, Fault fault, Runnable onClose) implements Input {
  /** What a file does when its bytes from a position on are asked for. */
  public interface Fault {
    void at(long position) throws IOException;
  }

  public FaultyInput(Input base, Fault fault) {
    this(base, fault, () -> {});
  }

  @Override
  public String path() {
    return base.path();
  }

  @Override
  public long length() throws IOException {
    return base.length();
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    fault.at(position);
    base.readFully(position, dst);
  }

  @Override
  public void close() throws IOException {
    onClose.run();
    base.close();
  }
}
