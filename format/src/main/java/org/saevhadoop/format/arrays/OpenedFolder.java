package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/**
 * A folder of which one file is open, so that a reader of headers need not open it again: on HDFS,
 * that takes longer than reading a small file.
 *
 * @param input the open file, which closing does not close
 */
record OpenedFolder(Folder folder, String name, Input input) implements Folder {
  @Override
  public String path() {
    return folder.path();
  }

  @Override
  public SortedMap<String, Long> files() throws IOException {
    return folder.files();
  }

  @Override
  public Input open(String file) throws IOException {
    return file.equals(name) ? new Shared(input) : folder.open(file);
  }

  @Override
  public Output create(String file) throws IOException {
    return folder.create(file);
  }

  private record Shared(Input input) implements Input {
    @Override
    public String path() {
      return input.path();
    }

    @Override
    public long length() throws IOException {
      return input.length();
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      input.readFully(position, dst);
    }

    @Override
    public void close() {}
  }
}
