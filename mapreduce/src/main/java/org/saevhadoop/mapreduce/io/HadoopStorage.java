package org.saevhadoop.mapreduce.io;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;

/**
 * Access to files through Hadoop's file systems.
 *
 * @param conf the configuration of the file systems
 */
public record HadoopStorage(Configuration conf) implements Storage {
  @Override
  public Location locate(String path) throws IOException {
    return locate(PathArgument.parse(path, conf));
  }

  /**
   * Returns the location of a path.
   *
   * @throws org.saevhadoop.format.io.FormatException if there is no such file or folder
   */
  public Location locate(Path path) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    Path qualified = fs.makeQualified(path);
    FileStatus status;
    try {
      status = fs.getFileStatus(qualified);
    } catch (FileNotFoundException e) {
      throw FileError.NOT_FOUND.in(show(qualified), "no such file or directory").causedBy(e);
    }
    return status.isFile()
        ? Location.of(HadoopFolder.of(qualified.getParent(), conf), qualified.getName())
        : Location.of(HadoopFolder.of(qualified, conf));
  }

  /** Returns a qualified path for messages: a local path without its scheme. */
  public static String show(Path qualified) {
    return qualified.toUri().getScheme().equals("file")
        ? qualified.toUri().getPath()
        : qualified.toString();
  }
}
