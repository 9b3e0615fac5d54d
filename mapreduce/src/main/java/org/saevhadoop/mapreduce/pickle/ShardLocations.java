package org.saevhadoop.mapreduce.pickle;

import java.io.IOException;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;

/** Finds the shards at a location: the shards of a folder, or a single one. */
final class ShardLocations {
  private ShardLocations() {}

  static ShardFiles files(Location location) throws IOException {
    return location.isFile()
        ? ShardFiles.ofFile(location.folder(), location.file())
        : ShardFiles.of(location.folder());
  }

  /**
   * Returns the path of a folder with a scheme, so that it can be resolved regardless of the
   * default file system.
   */
  static String uri(Folder folder) {
    return folder instanceof LocalFolder local
        ? "file://" + local.directory().toAbsolutePath()
        : folder.path();
  }
}
