package org.saevhadoop.format.samediff.sdz;

import java.io.*;
import java.time.Instant;
import org.saevhadoop.format.io.*;

public final class SdzWriter implements Closeable {
  public interface Content {
    void writeTo(Output out) throws IOException;
  }

  public SdzWriter(Output out, int level, Instant time) {}

  public void stored(String name, long size, long crc, Content c) {
    throw new UnsupportedOperationException();
  }

  public Output deflated(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
