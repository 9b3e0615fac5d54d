package org.saevhadoop.mapreduce.publish;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.storage.RunLock;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.io.PathArgument;

/**
 * A lock that is a file on a storage other than the local disk: HDFS or an object store. The file
 * contains the id of the lock holder, which rewrites the file periodically; if the holder stops
 * doing so for some time, the lock expires. The time of the last renewal and the current time are
 * both measured with the clock of the storage, and the latter is obtained by writing a file; the
 * clocks of clients are not used. A reader sees either an id or no file: on HDFS, where a file is
 * visible while it is being written, a rename makes a renewed file appear.
 */
final class RenewedRunLock implements RunLock {
  /** The option with which S3A creates an object only if it does not exist, in one request. */
  private static final String CONDITIONAL = "fs.option.create.conditional.overwrite";

  private static final int RENEWALS = 4;

  /**
   * The smallest block size that HDFS permits by default: space quotas are charged by the block.
   */
  private static final long BLOCK_BYTES = 1 << 20;

  private final FileSystem fs;
  private final RunStorage storage;
  private final StoragePath path;
  private final Path file;
  private final byte[] id = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
  private final ScheduledExecutorService renewer;

  private RenewedRunLock(FileSystem fs, RunStorage storage, StoragePath path) {
    this.fs = fs;
    this.storage = storage;
    this.path = path;
    this.file = HadoopPath.hadoop(path);
    this.renewer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "renewal of " + file);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Locks a file, which is created if it does not exist.
   *
   * @param timeout the time after which an unrenewed lock expires
   * @return the lock; null if another client holds it
   */
  static @Nullable RunLock tryLock(
      FileSystem fs, RunStorage storage, StoragePath path, Duration timeout) throws IOException {
    RenewedRunLock lock = new RenewedRunLock(fs, storage, path);
    fs.getFileStatus(lock.file.getParent());
    if (!lock.create()) {
      if (lock.age() < timeout.toMillis()) {
        return null;
      }
      fs.delete(lock.file, false);
      if (!lock.create()) {
        return null;
      }
    }
    // if two clients find a void lock together, the later one may delete the lock of the
    // earlier one, which finds out by isCurrent()
    long interval = timeout.toMillis() / RENEWALS;
    lock.renewer.scheduleWithFixedDelay(lock::renew, interval, interval, TimeUnit.MILLISECONDS);
    return lock;
  }

  /**
   * Creates the file, and returns whether it contains the id of this lock: a storage may ignore the
   * condition that the file must not exist.
   */
  private boolean create() throws IOException {
    if (fs.exists(file)) {
      return false;
    }
    try {
      FSDataOutputStreamBuilder<?, ?> builder = builder(file, false);
      builder.opt(CONDITIONAL, true);
      write(builder);
    } catch (IOException e) {
      if (!fs.exists(file)) {
        throw e;
      }
    }
    return isCurrent();
  }

  /**
   * Returns a builder for the file. On HDFS, the folder is not created: if it is gone, the run is
   * over.
   */
  private FSDataOutputStreamBuilder<?, ?> builder(Path path, boolean overwrite) {
    FSDataOutputStreamBuilder<?, ?> builder = fs.createFile(path);
    builder.overwrite(overwrite);
    if (storage.hasFolders()) {
      builder.blockSize(Math.min(BLOCK_BYTES, fs.getDefaultBlockSize(path)));
    } else {
      builder.recursive();
    }
    return builder;
  }

  private void write(FSDataOutputStreamBuilder<?, ?> builder) throws IOException {
    try (FSDataOutputStream out = builder.build()) {
      out.write(id);
    }
  }

  /**
   * Returns the milliseconds since the file was written, measured with the clock of its storage.
   */
  private long age() throws IOException {
    String name = file.getName() + "-" + new String(id, StandardCharsets.US_ASCII);
    Path probe = PathArgument.child(file.getParent(), name);
    write(builder(probe, true));
    try {
      return fs.getFileStatus(probe).getModificationTime()
          - fs.getFileStatus(file).getModificationTime();
    } finally {
      fs.delete(probe, false);
    }
  }

  /** Writes the file again, unless another client has taken over the lock. */
  private void renew() {
    try {
      if (isCurrent()) {
        StoragePath written = storage.hasFolders() ? RunStorage.unfinished(path) : path;
        write(builder(HadoopPath.hadoop(written), true));
        if (!written.equals(path)) {
          storage.replace(written, path);
        }
      }
    } catch (IOException | RuntimeException e) {
      // the next renewal may succeed; if none does, the lock ends
    }
  }

  @Override
  public boolean isCurrent() throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      return Arrays.equals(in.readAllBytes(), id);
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  @Override
  public void stopRenewal() {
    renewer.shutdown();
    try {
      renewer.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    stopRenewal();
    if (isCurrent()) {
      fs.delete(file, false);
    }
  }
}
