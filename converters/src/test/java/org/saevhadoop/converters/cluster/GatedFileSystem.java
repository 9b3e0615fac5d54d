package org.saevhadoop.converters.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem.HdfsDataOutputStreamBuilder;

/**
 * An HDFS in which some requests wait while a file exists: a job with this client stays where it is
 * until a test deletes the file.
 */
public final class GatedFileSystem extends DistributedFileSystem {
  private static final String FILE = "test.gate.file";
  private static final String PATHS = "test.gate.paths";

  /**
   * Returns a client whose files are created, and whose folders are deleted, when a gate is open.
   *
   * @param file the gate, which is closed while it exists, or a pattern of files
   * @param paths a regular expression of the paths that wait
   */
  static Configuration client(Configuration conf, String file, String paths) {
    Configuration gated = new Configuration(conf);
    gated.setClass("fs.hdfs.impl", GatedFileSystem.class, DistributedFileSystem.class);
    gated.setBoolean("fs.hdfs.impl.disable.cache", true);
    gated.set(FILE, file);
    gated.set(PATHS, paths);
    return gated;
  }

  @Override
  public HdfsDataOutputStreamBuilder createFile(Path path) {
    try {
      pass(path);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return super.createFile(path);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    pass(path);
    return super.delete(path, recursive);
  }

  private boolean isClosed() throws IOException {
    FileStatus[] found = globStatus(new Path(getConf().get(FILE)));
    return found != null && found.length > 0;
  }

  private void pass(Path path) throws IOException {
    if (path.toUri().getPath().matches(getConf().get(PATHS))) {
      while (isClosed()) {
        try {
          TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException e) {
          throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        }
      }
    }
  }
}
