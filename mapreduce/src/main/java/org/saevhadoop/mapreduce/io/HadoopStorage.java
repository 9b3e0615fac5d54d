package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.storage.StoragePath;

/**
 * Access to files through Hadoop's file systems.
 *
 * @param conf the configuration of the file systems
 */
public record HadoopStorage(Configuration conf) implements Storage {
  @Override
  public Location locate(String path) throws IOException {
    return HadoopPath.parse(path, conf).locate();
  }

  /**
   * Returns the location of a path, as {@link StoragePath#locate} does.
   *
   * @throws org.saevhadoop.format.io.FormatException if the path does not exist, or if a run is
   *     writing a dataset there in place
   */
  public Location locate(Path path) throws IOException {
    return HadoopPath.of(path, conf).locate();
  }

  /**
   * Returns the location of a path that the job's client has located before.
   *
   * @throws org.saevhadoop.format.io.FormatException if the path does not exist
   */
  public Location locateChecked(Path path) throws IOException {
    return HadoopPath.of(path, conf).locateChecked();
  }

  /** Returns a qualified path for messages: a local path without its scheme. */
  public static String show(Path qualified) {
    return qualified.toUri().getScheme().equals("file")
        ? qualified.toUri().getPath()
        : qualified.toString();
  }
}
