package org.saevhadoop.mapreduce.publish.storage;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.MultipartUploader;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.QuotaFailure;

/** A file system of Hadoop other than the local disk. */
final class HadoopRunStorage implements RunStorage {
  /** Times of modification of some storages are whole seconds. */
  private static final long POLL_MILLIS = 2000;

  private final FileSystem fs;

  /** The time after which a lock is void that its holder does not renew. */
  private final Duration lockTimeout;

  private @Nullable FileContext context;

  HadoopRunStorage(FileSystem fs, Duration lockTimeout) {
    this.fs = fs;
    this.lockTimeout = lockTimeout;
  }

  private FileContext context() throws IOException {
    if (context == null) { // it has a client of its own
      context = FileContext.getFileContext(fs.getUri(), fs.getConf());
    }
    return context;
  }

  /** Returns whether this is HDFS, whose {@code FileContext} renames in one operation. */
  @Override
  public boolean hasFolders() {
    return HadoopFolder.hasFolders(fs);
  }

  @Override
  public long lockMillis() {
    return lockTimeout.toMillis() + POLL_MILLIS;
  }

  @Override
  public Entry entry(Path path) throws IOException {
    try {
      return entry(fs.getFileStatus(path));
    } catch (FileNotFoundException e) {
      return new Entry(path.getName(), EntryKind.ABSENT, () -> "");
    }
  }

  /** Object stores have no owners: S3A reports the user who asks. */
  private Entry entry(FileStatus status) {
    String owner = hasFolders() ? status.getOwner() : "";
    EntryKind kind = EntryKind.of(status.isDirectory(), status.isFile());
    return new Entry(status.getPath().getName(), kind, () -> owner);
  }

  @Override
  public List<Entry> list(Path folder) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (FileStatus status : fs.listStatus(folder)) {
      entries.add(entry(status));
    }
    return entries;
  }

  /**
   * Creates a folder. {@code mkdirs} reports success for a folder that exists and creates missing
   * parents, so both are checked before; two runs that pass the check at once are kept apart by the
   * lock.
   */
  @Override
  public boolean createFolder(Path folder) throws IOException {
    if (kind(folder) != EntryKind.ABSENT) {
      return false;
    }
    fs.getFileStatus(folder.getParent());
    try {
      if (!fs.mkdirs(folder)) {
        throw new IOException(folder + ": cannot be created");
      }
    } catch (RemoteException e) { // such as a name that is too long
      throw FileError.WRITE_FAILED
          .in(
              HadoopStorage.show(folder),
              "cannot be created: %s (expected a path that the storage allows)",
              Quote.show(String.valueOf(e.getMessage()).lines().findFirst().orElse("")))
          .causedBy(e);
    } catch (IOException e) {
      throw QuotaFailure.of(folder.toString(), e);
    }
    return true;
  }

  /**
   * Renames atomically on HDFS. {@code FileSystem.rename} would move the folder into an existing
   * one; for other file systems, this is checked before.
   */
  @Override
  public void rename(Path from, Path to) throws IOException {
    if (hasFolders()) {
      context().rename(from, to);
      return;
    }
    if (fs.exists(to)) {
      throw new FileAlreadyExistsException(to + ": already exists");
    }
    if (!fs.rename(from, to)) {
      throw new IOException(from + ": cannot be renamed to " + to);
    }
  }

  /**
   * Replaces atomically on HDFS. Other storages have no such operation: what is moved there is a
   * small document, which is written again, as the creation of an object is atomic.
   */
  @Override
  public void replace(Path from, Path to) throws IOException {
    if (hasFolders()) {
      context().rename(from, to, Options.Rename.OVERWRITE);
      return;
    }
    byte[] content = read(from, Integer.MAX_VALUE - 8);
    try (FSDataOutputStream out = fs.create(to, true)) {
      out.write(content);
    }
    fs.delete(from, false);
  }

  @Override
  public void write(Path file, byte[] content) throws IOException {
    Path created = hasFolders() ? RunStorage.unfinished(file) : file; // an object appears whole
    fs.delete(created, false);
    Folder folder = HadoopFolder.of(file.getParent(), fs.getConf());
    try (Output out = folder.create(created.getName())) {
      out.write(ByteBuffer.wrap(content));
    }
    if (hasFolders()) {
      replace(created, file);
    }
  }

  @Override
  public byte[] read(Path file, int limit) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      return RunStorage.read(in, file, limit);
    }
  }

  @Override
  public void force(Path folder) {
    // a NameNode has written a change to its journal before it answers; other storages have no
    // such operation
  }

  @Override
  public void delete(Path path) throws IOException {
    fs.delete(path, true);
  }

  @Override
  public boolean deleteEmpty(Path folder) throws IOException {
    try {
      return fs.delete(folder, false) || !fs.exists(folder);
    } catch (PathIsNotEmptyDirectoryException e) {
      return false;
    } catch (IOException e) {
      if (fs.exists(folder) && fs.listStatus(folder).length > 0) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public int abortUploads(Path folder) throws IOException {
    if (!fs.hasPathCapability(folder, CommonPathCapabilities.FS_MULTIPART_UPLOADER)) {
      return 0;
    }
    try (MultipartUploader uploader = fs.createMultipartUploader(folder).build()) {
      // negative if the storage does not know how many there were
      return Math.max(0, FutureIO.awaitFuture(uploader.abortUploadsUnderPath(folder)));
    }
  }

  @Override
  public @Nullable RunLock lock(Path file) throws IOException {
    try {
      return RenewedRunLock.tryLock(fs, this, file, lockTimeout);
    } catch (IOException e) {
      throw QuotaFailure.of(file.toString(), e);
    }
  }

  /** {@inheritDoc} The age of the lock is measured by the clock of this client. */
  @Override
  public boolean isLocked(Path file) throws IOException {
    try {
      long renewed = fs.getFileStatus(file).getModificationTime();
      return System.currentTimeMillis() - renewed < lockTimeout.toMillis();
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  @Override
  public void checkWritable(Path folder) throws IOException {
    if (hasFolders()) {
      fs.access(folder, FsAction.WRITE_EXECUTE);
    }
  }
}
