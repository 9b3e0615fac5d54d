package org.saevhadoop.format.pickleshards;

import java.io.IOException;
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
}
