package org.saevhadoop.converters.console;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.mapreduce.io.HadoopStorage;

/** Formats paths for the user. */
public final class PathDisplay {
  private PathDisplay() {}

  /**
   * Returns a path: a local path without scheme, as a shell accepts it, and any other path with
   * scheme and authority.
   */
  public static String show(Path path, Configuration conf) throws IOException {
    Path qualified = path.getFileSystem(conf).makeQualified(path);
    return HadoopStorage.show(qualified);
  }
}
