package org.saevhadoop.mapreduce.publish;

import static org.saevhadoop.mapreduce.io.HadoopPath.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.MultipartUploader;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.io.WriteFailure;
import org.saevhadoop.format.storage.LocalRunStorage;
import org.saevhadoop.format.storage.RunLock;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoppedJvm;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.io.QuotaFailure;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;

/** A Hadoop file system other than the local disk. */
public final class HadoopRunStorage implements RunStorage {
  /** Some file systems store modification times in whole seconds. */
  private static final long POLL_MILLIS = 2000;

  private final FileSystem fs;

  /** The time after which an unrenewed lock expires. */
  private final Duration lockTimeout;

  private @Nullable FileContext context;

  private HadoopRunStorage(FileSystem fs, Duration lockTimeout) {
    this.fs = fs;
    this.lockTimeout = lockTimeout;
    Shutdown.prepare();
  }

  /**
   * Returns the storage of a path.
   *
   * @param conf the configuration; null if it contains nothing but Hadoop's defaults
   */
  public static RunStorage of(StoragePath path, @Nullable Configuration conf) {
    return path instanceof HadoopPath remote
        ? new HadoopRunStorage(
            remote.fs(), Duration.ofSeconds(ConfSettings.get(conf, ConversionKeys.LOCK_TIMEOUT)))
        : new LocalRunStorage(ConfSettings.get(conf, OutputKeys.SYNC).forces(true));
  }

  /**
   * Creates the folder of a task, as {@link RunStorage#createWithin} does. A committer of the
   * storage may keep this folder outside the output.
   */
  public static void createWithin(StoragePath output, StoragePath task, Configuration conf)
      throws IOException {
    if (!of(output, conf).createWithin(output, task)) {
      of(task, conf).createFolders(task);
    }
  }

  /** Removes the folders of runs before Hadoop closes its file systems. */
  private static final class Shutdown {
    private static final int PRIORITY = 20;

    static {
      long seconds =
          new Configuration()
              .getTimeDuration(
                  CommonConfigurationKeysPublic.SERVICE_SHUTDOWN_TIMEOUT,
                  CommonConfigurationKeysPublic.SERVICE_SHUTDOWN_TIMEOUT_DEFAULT,
                  TimeUnit.SECONDS);
      if (!StoppedJvm.isStopping()) {
        ShutdownHookManager.get()
            .addShutdownHook(
                StoppedJvm::runHooks, PRIORITY, Math.max(1, seconds), TimeUnit.SECONDS);
      }
    }

    private Shutdown() {}

    static void prepare() {
      // the class is initialized once
    }
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
  public Entry entry(StoragePath path) throws IOException {
    try {
      return entry(fs.getFileStatus(hadoop(path)));
    } catch (FileNotFoundException e) {
      return new Entry(path.name(), EntryKind.ABSENT, () -> "");
    }
  }

  /** Returns an entry. Object stores do not record owners: S3A reports the current user. */
  private Entry entry(FileStatus status) {
    String owner = hasFolders() ? status.getOwner() : "";
    EntryKind kind = EntryKind.of(status.isDirectory(), status.isFile());
    return new Entry(status.getPath().getName(), kind, () -> owner);
  }

  @Override
  public String user() throws IOException {
    return UserGroupInformation.getCurrentUser().getShortUserName();
  }

  @Override
  public boolean isEncrypted(StoragePath path) throws IOException {
    return fs.getFileStatus(hadoop(path)).isEncrypted();
  }

  @Override
  public List<Entry> list(StoragePath folder) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (FileStatus status : fs.listStatus(hadoop(folder))) {
      entries.add(entry(status));
    }
    return entries;
  }

  /**
   * Creates a folder. {@code mkdirs} reports success for a folder that exists and creates missing
   * parents, so both are checked first; if two runs pass the check at the same time, the lock keeps
   * them apart.
   */
  @Override
  public boolean createFolder(StoragePath folder) throws IOException {
    if (kind(folder) != EntryKind.ABSENT) {
      return false;
    }
    fs.getFileStatus(hadoop(folder).getParent());
    try {
      if (!fs.mkdirs(hadoop(folder))) {
        throw new IOException(folder + ": cannot be created");
      }
    } catch (RemoteException e) { // such as a name that is too long
      throw FileError.WRITE_FAILED
          .in(
              folder.shown(),
              "cannot be created: %s (expected a path that the storage allows)",
              Quote.show(String.valueOf(e.getMessage()).lines().findFirst().orElse("")))
          .causedBy(e);
    } catch (IOException e) {
      throw QuotaFailure.of(folder.qualified(), e);
    }
    return true;
  }

  @Override
  public void createPrivate(StoragePath folder, boolean temporary) throws IOException {
    fs.mkdirs(hadoop(folder), new FsPermission((short) 0700));
    if (temporary) {
      fs.deleteOnExit(hadoop(folder));
    }
  }

  /**
   * Renames atomically on HDFS. {@code FileSystem.rename} would move the folder into an existing
   * folder; on other file systems, the code first checks that the target does not exist.
   */
  @Override
  public void rename(StoragePath from, StoragePath to) throws IOException {
    if (hasFolders()) {
      context().rename(hadoop(from), hadoop(to));
      return;
    }
    if (fs.exists(hadoop(to))) {
      throw new FileAlreadyExistsException(to + ": already exists");
    }
    if (!fs.rename(hadoop(from), hadoop(to))) {
      throw new IOException(from + ": cannot be renamed to " + to);
    }
  }

  /**
   * Replaces a file atomically on HDFS. Other file systems have no such operation, so the file,
   * which is a small document, is written again; the creation of an object is atomic.
   */
  @Override
  public void replace(StoragePath from, StoragePath to) throws IOException {
    if (hasFolders()) {
      context().rename(hadoop(from), hadoop(to), Options.Rename.OVERWRITE);
      return;
    }
    byte[] content = read(from, Integer.MAX_VALUE - 8);
    try (FSDataOutputStream out = fs.create(hadoop(to), true)) {
      out.write(content);
    }
    fs.delete(hadoop(from), false);
  }

  @Override
  public void write(StoragePath file, byte[] content) throws IOException {
    StoragePath created =
        hasFolders() ? RunStorage.unfinished(file) : file; // an object appears whole
    fs.delete(hadoop(created), false);
    Folder folder = file.folderAbove().folder();
    try (Output out = folder.create(created.name())) {
      out.write(ByteBuffer.wrap(content));
    }
    if (hasFolders()) {
      replace(created, file);
    }
  }

  @Override
  public byte[] read(StoragePath file, int limit) throws IOException {
    try (FSDataInputStream in = fs.open(hadoop(file))) {
      return RunStorage.read(in, file, limit);
    }
  }

  @Override
  public void force(StoragePath folder) {
    // a NameNode writes a change to its journal before it answers; other file systems have no
    // such operation
  }

  @Override
  public void delete(StoragePath path) throws IOException {
    fs.delete(hadoop(path), true);
    fs.cancelDeleteOnExit(hadoop(path));
  }

  @Override
  public boolean deleteEmpty(StoragePath folder) throws IOException {
    try {
      return fs.delete(hadoop(folder), false) || !fs.exists(hadoop(folder));
    } catch (PathIsNotEmptyDirectoryException e) {
      return false;
    } catch (IOException e) {
      if (fs.exists(hadoop(folder)) && fs.listStatus(hadoop(folder)).length > 0) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public int abortUploads(StoragePath folder) throws IOException {
    if (!fs.hasPathCapability(hadoop(folder), CommonPathCapabilities.FS_MULTIPART_UPLOADER)) {
      return 0;
    }
    try (MultipartUploader uploader = fs.createMultipartUploader(hadoop(folder)).build()) {
      // negative if the storage does not know how many there were
      return Math.max(0, FutureIO.awaitFuture(uploader.abortUploadsUnderPath(hadoop(folder))));
    }
  }

  @Override
  public @Nullable RunLock lock(StoragePath file) throws IOException {
    try {
      return RenewedRunLock.tryLock(fs, this, file, lockTimeout);
    } catch (IOException e) {
      throw QuotaFailure.of(file.qualified(), e);
    }
  }

  /** {@inheritDoc} The age of the lock is measured with the clock of this client. */
  @Override
  public boolean isLocked(StoragePath file) throws IOException {
    try {
      long renewed = fs.getFileStatus(hadoop(file)).getModificationTime();
      return System.currentTimeMillis() - renewed < lockTimeout.toMillis();
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  @Override
  public IOException writeFailure(StoragePath file, IOException cause) {
    return WriteFailure.isFull(cause)
        ? FileError.NO_SPACE
            .in(file.shown(), "cannot be written: %s", Quote.show(cause.getMessage()))
            .causedBy(cause)
        : QuotaFailure.of(file.shown(), cause);
  }

  @Override
  public void checkWritable(StoragePath folder) throws IOException {
    if (hasFolders()) {
      fs.access(hadoop(folder), FsAction.WRITE_EXECUTE);
    }
  }
}
