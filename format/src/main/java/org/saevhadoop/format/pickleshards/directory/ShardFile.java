package org.saevhadoop.format.pickleshards.directory;

import java.io.IOException;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;

/**
 * A data file of a dataset.
 *
 * @param folder the folder that contains the file
 * @param directory the path of the folder relative to the directory of the dataset, with slashes;
 *     empty for that directory
 * @param name the name of the file
 * @param number the number in the name, 1 for {@code shard_0001.pkl.gz}; -1 without a number
 * @param bytes the length as stored
 */
public record ShardFile(Folder folder, String directory, String name, long number, long bytes) {
  /** Returns the path relative to the directory of the dataset. */
  public String relativePath() {
    return directory.isEmpty() ? name : directory + "/" + name;
  }

  /** Returns the whole path for error messages. */
  public String path() {
    return folder.path(name);
  }

  /** Opens the file. */
  public Input open() throws IOException {
    return folder.open(name);
  }
}
