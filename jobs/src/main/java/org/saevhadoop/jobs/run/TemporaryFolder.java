package org.saevhadoop.jobs.run;

import java.io.Closeable;
import java.io.IOException;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.storage.Uninterrupted;

/**
 * A folder for temporary files that is deleted when it is closed. In a try statement, a failure to
 * delete it does not replace an earlier failure, which is the one that the user needs.
 *
 * @param path the folder, which need not exist
 */
public record TemporaryFolder(RunStorage storage, StoragePath path) implements Closeable {
  @Override
  public void close() throws IOException {
    Uninterrupted.run(() -> storage.delete(path));
  }
}
