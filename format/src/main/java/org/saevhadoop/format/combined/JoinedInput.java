package org.saevhadoop.format.combined;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;

/** Files one after another as one file. Only those that were read last are open. */
final class JoinedInput implements Input {
  private static final int MAX_OPEN = 32;

  private final String path;
  private final long[] begins;
  private final Opener opener;
  private final Map<Integer, Input> open = new LinkedHashMap<>(16, 0.75f, true);

  /** Opens one of the files. */
  @FunctionalInterface
  interface Opener {
    Input open(int file) throws IOException;
  }

  /**
   * Creates a file of which no part is open yet.
   *
   * @param begins the offset of each file; last, the length of all
   */
  JoinedInput(String path, long[] begins, Opener opener) {
    this.path = path;
    this.begins = begins;
    this.opener = opener;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long length() {
    return begins[begins.length - 1];
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.checkRead(this, position, dst);
    int limit = dst.limit();
    for (long at = position; dst.position() < limit; ) {
      long from = at;
      int file = AscendingSearch.lastAtMost(begins.length - 1, i -> begins[i], from);
      int some = (int) Math.min(limit - dst.position(), begins[file + 1] - at);
      dst.limit(dst.position() + some);
      file(file).readFully(at - begins[file], dst);
      dst.limit(limit);
      at += some;
    }
  }

  private Input file(int file) throws IOException {
    Input known = open.get(file);
    if (known == null) {
      if (open.size() == MAX_OPEN) {
        Iterator<Input> byUse = open.values().iterator();
        Input eldest = byUse.next();
        byUse.remove();
        eldest.close();
      }
      known = opener.open(file);
      open.put(file, known);
    }
    return known;
  }

  @Override
  public void close() throws IOException {
    for (Input file : open.values()) {
      file.close();
    }
    open.clear();
  }
}
