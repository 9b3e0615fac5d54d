package org.saevhadoop.mapreduce.pickle;

import java.io.IOException;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;

/** The shards at a location: those of a folder, or one. */
final class ShardLocations {
  private ShardLocations() {}

  static ShardFiles files(Location location) throws IOException {
    return location.isFile()
        ? ShardFiles.ofFile(location.folder(), location.file())
        : ShardFiles.of(location.folder());
  }

  /** Returns the path by which any storage finds a folder: that of a local one has a scheme. */
  static String uri(Folder folder) {
    return folder instanceof LocalFolder local
        ? "file://" + local.directory().toAbsolutePath()
        : folder.path();
  }
}
