package org.saevhadoop.format.pickleshards.directory;

import java.io.IOException;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;

/**
 * A data file.
 *
 * @param folder where it lies
 * @param directory path of that folder below the dataset's own, with slashes; empty for this itself
 * @param number of its name: 1 for {@code shard_0001.pkl.gz}; -1 where the name has none
 * @param bytes as stored
 */
public record ShardFile(Folder folder, String directory, String name, long number, long bytes) {
  /** Its path below the dataset's directory. */
  public String relativePath() {
    return directory.isEmpty() ? name : directory + "/" + name;
  }

  /** Its whole path, as error messages name it. */
  public String path() {
    return folder.path(name);
  }

  /** Opens it. */
  public Input open() throws IOException {
    return folder.open(name);
  }
}
