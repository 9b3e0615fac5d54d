package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.PathArgument;

/** A folder in which created files replace those that a dead run has left, perhaps half-written. */
final class ReplacingFolder implements Folder {
  private final Path path;
  private final Folder folder;
  private final Configuration conf;

  ReplacingFolder(Path path, Configuration conf) throws IOException {
    this.path = path;
    this.folder = HadoopFolder.of(path, conf);
    this.conf = conf;
  }

  @Override
  public String path() {
    return folder.path();
  }

  @Override
  public SortedMap<String, Long> files() throws IOException {
    return folder.files();
  }

  @Override
  public Optional<Folder> folder(String name) throws IOException {
    return folder.folder(name);
  }

  @Override
  public SortedSet<String> folders() throws IOException {
    return folder.folders();
  }

  @Override
  public Input open(String name) throws IOException {
    return folder.open(name);
  }

  @Override
  public Output create(String name) throws IOException {
    path.getFileSystem(conf).delete(PathArgument.child(path, name), false);
    return folder.create(name);
  }
}
