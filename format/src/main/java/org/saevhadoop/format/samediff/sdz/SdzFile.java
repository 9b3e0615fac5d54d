package org.saevhadoop.format.samediff.sdz;

import java.io.Closeable;
import java.util.List;
import org.saevhadoop.format.io.*;

public final class SdzFile implements Closeable {
  public static SdzFile open(Input file) {
    throw new UnsupportedOperationException();
  }

  public List<SdzEntry> entries() {
    throw new UnsupportedOperationException();
  }

  public ByteSource read(SdzEntry e) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
