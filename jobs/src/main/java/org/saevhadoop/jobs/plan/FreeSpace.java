package org.saevhadoop.jobs.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.mapreduce.io.HadoopFolder;

/**
 * The space that is free where a file or folder would be created.
 *
 * @param existing the nearest folder that exists
 * @param bytes the number of bytes that are free there, which replicas share; null if the storage
 *     does not know it
 */
public record FreeSpace(Path existing, @Nullable Long bytes) {
  private static final String HDFS = "hdfs";

  /** Returns the space at a path, which need not exist. */
  public static FreeSpace of(Path path, Configuration conf) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    Path existing = path;
    while (existing.getParent() != null && !fs.exists(existing)) {
      existing = existing.getParent();
    }
    if (HadoopFolder.isLocal(fs)) {
      java.nio.file.Path local = Paths.get(existing.toUri().getPath());
      return new FreeSpace(existing, Files.getFileStore(local).getUsableSpace());
    }
    boolean known = fs.getUri().getScheme().equals(HDFS);
    return new FreeSpace(existing, known ? fs.getStatus(existing).getRemaining() : null);
  }
}
