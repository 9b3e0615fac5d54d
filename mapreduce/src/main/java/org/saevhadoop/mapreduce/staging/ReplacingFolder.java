package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.PathArgument;

/** A folder in which created files replace those that a dead run has left, perhaps half-written. */
final class ReplacingFolder extends ForwardingFolder {
  private final Path path;
  private final Configuration conf;

  ReplacingFolder(Path path, Configuration conf) throws IOException {
    super(HadoopFolder.of(path, conf));
    this.path = path;
    this.conf = conf;
  }

  @Override
  public Output create(String name) throws IOException {
    path.getFileSystem(conf).delete(PathArgument.child(path, name), false);
    return folder().create(name);
  }
}
