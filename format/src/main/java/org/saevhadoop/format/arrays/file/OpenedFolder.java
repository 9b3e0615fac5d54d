package org.saevhadoop.format.arrays.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;

/**
 * A folder with one file open, so that a reader of headers does not have to open the file again: on
 * HDFS, opening takes longer than reading a small file.
 */
final class OpenedFolder extends ForwardingFolder {
  private final String name;
  private final Input input;

  /**
   * Wraps a folder.
   *
   * @param input the open file, which remains open when the file of this folder is closed
   */
  OpenedFolder(Folder folder, String name, Input input) {
    super(folder);
    this.name = name;
    this.input = input;
  }

  @Override
  public Input open(String file) throws IOException {
    return file.equals(name) ? new Shared(input) : super.open(file);
  }

  private record Shared(Input file) implements Input.Filter {
    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      file.readFully(position, dst);
    }

    @Override
    public void close() {}
  }
}
