package org.saevhadoop.mapreduce.publish;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RemoteException;

/**
 * A lock by a file on HDFS, which stays open for writing: its writer has a lease, which the client
 * renews while it lives; a minute after the last renewal (the soft limit of a lease) others may
 * append to the file.
 */
final class LeaseRunLock implements RunLock {
  /** Exceptions of the NameNode for a file that another client writes, or has just written. */
  private static final Set<String> HELD =
      Set.of(
          "org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException",
          "org.apache.hadoop.hdfs.protocol.RecoveryInProgressException",
          "org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException");

  private final FileSystem fs;
  private final Path file;
  private final FSDataOutputStream stream;

  private LeaseRunLock(FileSystem fs, Path file, FSDataOutputStream stream) {
    this.fs = fs;
    this.file = file;
    this.stream = stream;
  }

  /**
   * Locks a file, which is created if it does not exist.
   *
   * @return the lock; null if another client holds it, or may hold it
   */
  static RunLock tryLock(FileSystem fs, Path file) throws IOException {
    fs.getFileStatus(file.getParent());
    try {
      return new LeaseRunLock(fs, file, fs.create(file, false));
    } catch (FileAlreadyExistsException e) {
      return append(fs, file);
    } catch (RemoteException e) {
      if (e.unwrapRemoteException() instanceof FileAlreadyExistsException) {
        return append(fs, file);
      }
      return orHeld(e);
    }
  }

  private static RunLock append(FileSystem fs, Path file) throws IOException {
    try {
      return new LeaseRunLock(fs, file, fs.append(file));
    } catch (RemoteException e) {
      return orHeld(e);
    }
  }

  private static RunLock orHeld(RemoteException e) throws IOException {
    if (HELD.contains(e.getClassName())) {
      return null;
    }
    throw e.unwrapRemoteException(FileNotFoundException.class);
  }

  @Override
  public boolean isCurrent() throws IOException {
    return fs.exists(file);
  }

  @Override
  public void close() throws IOException {
    try {
      stream.close();
    } catch (IOException e) {
      // the file was deleted with its folder, as planned
      if (fs.exists(file)) {
        throw e;
      }
    }
  }
}
