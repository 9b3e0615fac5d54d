package org.saevhadoop.format.pickleshards.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;

/**
 * A data file of a dataset.
 *
 * @param directory the path of the folder relative to the directory of the dataset, with slashes;
 *     empty for that directory
 */
public record ShardFile(Folder folder, String directory, String name, long bytes) {
  /**
   * The PROTO opcode of protocols 2 to 5, and the opcodes with which a dict or a list of older
   * protocols begins.
   */
  private static final String FIRST_OPCODES = "\u0080(}]";

  /** Returns the path relative to the directory of the dataset. */
  public String relativePath() {
    return directory.isEmpty() ? name : directory + "/" + name;
  }

  /** Returns the full path for error messages. */
  public String path() {
    return folder.path(name);
  }

  public Input open() throws IOException {
    return folder.open(name);
  }

  /**
   * Checks the first bytes: gzip's magic number, or an opcode with which Python pickles begin.
   *
   * @throws org.saevhadoop.format.io.FormatException if the file begins with neither
   */
  public void checkBeginning() throws IOException {
    try (Input file = open()) {
      ByteBuffer head = ByteBuffer.allocate((int) Math.min(2, file.length()));
      file.readFully(0, head);
      int first = head.position() < 1 ? -1 : head.get(0) & 0xff;
      boolean gzip = first == 0x1f && head.position() == 2 && (head.get(1) & 0xff) == 0x8b;
      ShardError.NOT_A_SHARD.check(
          gzip || FIRST_OPCODES.indexOf(first) >= 0,
          path(),
          "is neither a pickle nor gzip (expected a shard)");
    }
  }
}
