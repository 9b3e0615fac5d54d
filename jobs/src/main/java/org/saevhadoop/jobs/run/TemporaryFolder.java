package org.saevhadoop.jobs.run;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.mapreduce.io.Uninterrupted;

/**
 * A folder for temporary files that is deleted when it is closed. In a try statement, a failure to
 * delete it does not replace an earlier failure, which is the one that the user needs.
 *
 * @param path the folder, which need not exist
 */
public record TemporaryFolder(FileSystem fs, Path path) implements Closeable {
  @Override
  public void close() throws IOException {
    Uninterrupted.run(() -> fs.delete(path, true));
  }
}
