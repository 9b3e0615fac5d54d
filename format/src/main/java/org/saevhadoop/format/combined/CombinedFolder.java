package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.Collections;
import java.util.SortedMap;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/**
 * The files of several datasets, by the names of the shards; messages name the stored files. The
 * folder lists no files, because no file can be copied or read as a whole.
 */
record CombinedFolder(String path, Arrangement arrangement) implements Folder {
  @Override
  public String path(String name) {
    return arrangement.path(name);
  }

  @Override
  public SortedMap<String, Long> files() {
    return Collections.emptySortedMap();
  }

  @Override
  public Input open(String name) throws IOException {
    return arrangement.open(name);
  }

  @Override
  public Output create(String name) {
    throw new UnsupportedOperationException(path(name) + ": several datasets can only be read");
  }
}
