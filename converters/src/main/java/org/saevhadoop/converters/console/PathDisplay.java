package org.saevhadoop.converters.console;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** How paths are shown to a person. */
public final class PathDisplay {
  private PathDisplay() {}

  /** A local path without its scheme, as a shell takes it; any other with scheme and authority. */
  public static String show(Path path, Configuration conf) throws IOException {
    Path qualified = path.getFileSystem(conf).makeQualified(path);
    return "file".equals(qualified.toUri().getScheme())
        ? qualified.toUri().getPath()
        : qualified.toString();
  }
}
