package org.saevhadoop.format.samediff.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/**
 * A folder that knows which bytes of its files were read.
 *
 * @param read the offsets of the bytes, by file
 * @param total the number of bytes, each counted as often as it was read
 */
record WatchedFolder(Folder folder, Map<String, BitSet> read, AtomicLong total) implements Folder {
  WatchedFolder(Folder folder) {
    this(folder, new TreeMap<>(), new AtomicLong());
  }

  @Override
  public String path() {
    return folder.path();
  }

  @Override
  public SortedMap<String, Long> files() throws IOException {
    return folder.files();
  }

  @Override
  public Output create(String name) throws IOException {
    return folder.create(name);
  }

  @Override
  public Input open(String name) throws IOException {
    Input file = folder.open(name);
    return new Input() {
      @Override
      public String path() {
        return file.path();
      }

      @Override
      public long length() throws IOException {
        return file.length();
      }

      @Override
      public void readFully(long position, ByteBuffer dst) throws IOException {
        read.computeIfAbsent(name, unused -> new BitSet())
            .set((int) position, (int) position + dst.remaining());
        total.addAndGet(dst.remaining());
        file.readFully(position, dst);
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }
}
