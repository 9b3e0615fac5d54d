package org.saevhadoop.mapreduce.io;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;

/** A qualified path of a file system of Hadoop that is not the local disk. */
record HadoopPath(Path path, FileSystem fs, Configuration conf) implements SourcePath {
  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public String shown() {
    return HadoopStorage.show(path);
  }

  @Override
  public Path hadoop() {
    return path;
  }

  @Override
  public String qualified() {
    return path.toString();
  }

  @Override
  public String name() {
    return path.getName();
  }

  @Override
  public @Nullable SourcePath parent() {
    return path.getParent() == null ? null : new HadoopPath(path.getParent(), fs, conf);
  }

  @Override
  public SourcePath child(String name) {
    return new HadoopPath(PathArgument.child(path, name), fs, conf);
  }

  @Override
  public Kind kind() throws IOException {
    try {
      return fs.getFileStatus(path).isDirectory() ? Kind.FOLDER : Kind.FILE;
    } catch (FileNotFoundException e) {
      return Kind.MISSING;
    }
  }

  @Override
  public List<String> names(int limit) throws IOException {
    List<String> names = new ArrayList<>();
    RemoteIterator<FileStatus> listed = fs.listStatusIterator(path);
    while (names.size() < limit && listed.hasNext()) {
      names.add(listed.next().getPath().getName());
    }
    return names;
  }

  @Override
  public Folder folder() throws IOException {
    return HadoopFolder.of(path, conf);
  }

  @Override
  public OptionalLong bytesOnDisk() throws IOException {
    if (!HadoopFolder.hasFolders(fs)) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(fs.getContentSummary(path).getSpaceConsumed());
    } catch (AccessControlException e) {
      return OptionalLong.empty();
    }
  }

  @Override
  public void refuseUnfinished(Location location) throws IOException {
    if (!HadoopFolder.hasFolders(fs)) { // no run writes in place where a rename is cheap
      UnfinishedMarker.refuse(
          fs, new Path(location.folder().path()), conf.get(UnfinishedMarker.READER));
    }
  }
}
