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
import org.saevhadoop.mapreduce.io.PathArgument;

/**
 * A lock by a file on a storage without locks, such as an object store. The file contains an id of
 * its holder, who writes it again and again; if that stops for a time, the lock is void. Both the
 * last renewal and the present are times of the storage, the latter that of a file which is written
 * to ask for it: the clocks of clients play no part.
 */
final class RenewedRunLock implements RunLock {
  /** The option with which S3A creates an object only if it does not exist, in one request. */
  private static final String CONDITIONAL = "fs.option.create.conditional.overwrite";

  private static final int RENEWALS = 4;

  private final FileSystem fs;
  private final Path file;
  private final byte[] id;
  private final ScheduledExecutorService renewer;

  private RenewedRunLock(FileSystem fs, Path file, byte[] id, Duration timeout) {
    this.fs = fs;
    this.file = file;
    this.id = id;
    long interval = timeout.toMillis() / RENEWALS;
    this.renewer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "renewal of " + file);
              thread.setDaemon(true);
              return thread;
            });
    renewer.scheduleWithFixedDelay(this::renew, interval, interval, TimeUnit.MILLISECONDS);
  }

  /**
   * Locks a file, which is created if it does not exist.
   *
   * @param timeout the time after which a lock is void that its holder does not renew
   * @return the lock; null if another client holds it
   */
  static RunLock tryLock(FileSystem fs, Path file, Duration timeout) throws IOException {
    fs.getFileStatus(file.getParent());
    byte[] id = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
    if (!create(fs, file, id)) {
      if (age(fs, file, id) < timeout.toMillis()) {
        return null;
      }
      fs.delete(file, false);
      if (!create(fs, file, id)) {
        return null;
      }
    }
    // of two clients that find a void lock at once, the later one may delete that of the earlier,
    // which finds out by isCurrent()
    return new RenewedRunLock(fs, file, id, timeout);
  }

  /** Creates the file, and returns whether it has the id: storages may ignore the condition. */
  private static boolean create(FileSystem fs, Path file, byte[] id) throws IOException {
    if (fs.exists(file)) {
      return false;
    }
    FSDataOutputStreamBuilder<?, ?> builder = fs.createFile(file);
    builder.overwrite(false);
    builder.recursive();
    builder.opt(CONDITIONAL, true);
    try (FSDataOutputStream out = builder.build()) {
      out.write(id);
    } catch (IOException e) {
      if (!fs.exists(file)) {
        throw e;
      }
    }
    return contains(fs, file, id);
  }

  private static boolean contains(FileSystem fs, Path file, byte[] id) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      return Arrays.equals(in.readAllBytes(), id);
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /** Returns the milliseconds since a file was written, on the clock of its storage. */
  private static long age(FileSystem fs, Path file, byte[] id) throws IOException {
    String name = file.getName() + "-" + new String(id, StandardCharsets.US_ASCII);
    Path probe = PathArgument.child(file.getParent(), name);
    write(fs, probe, id);
    try {
      return fs.getFileStatus(probe).getModificationTime()
          - fs.getFileStatus(file).getModificationTime();
    } finally {
      fs.delete(probe, false);
    }
  }

  private static void write(FileSystem fs, Path file, byte[] content) throws IOException {
    try (FSDataOutputStream out = fs.create(file, true)) {
      out.write(content);
    }
  }

  /** Writes the file again, unless another client has taken the lock over. */
  private void renew() {
    try {
      if (isCurrent()) {
        write(fs, file, id);
      }
    } catch (IOException | RuntimeException e) {
      // the next renewal may succeed; if none does, the lock ends
    }
  }

  @Override
  public boolean isCurrent() throws IOException {
    return contains(fs, file, id);
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
