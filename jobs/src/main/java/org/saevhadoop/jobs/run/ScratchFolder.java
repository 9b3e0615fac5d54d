package org.saevhadoop.jobs.run;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.WriteFailure;
import org.saevhadoop.format.storage.LocalTree;
import org.saevhadoop.format.storage.StoppedJvm;
import org.saevhadoop.mapreduce.conf.ConfSettings;

/**
 * The folder of a command for temporary files on the local disk: below {@code hadoop.tmp.dir} if
 * that is set, else below {@code java.io.tmpdir}. It is created when it is first needed, only its
 * user can read it, and it is deleted when the command ends, even by a signal.
 */
final class ScratchFolder implements Closeable {
  private static final String HADOOP_TEMPORARY = "hadoop.tmp.dir";

  /**
   * The hook runs before Hadoop closes its file systems, but after the folders of runs were
   * removed.
   */
  private static final int HOOK_PRIORITY = 15;

  /** The maximum time for repeated deletions of a folder in which other threads write. */
  private static final long DELETION_MILLIS = 10_000;

  private static final long PAUSE_MILLIS = 5;

  private static final int PAGE = 4096;
  private static final String PURPOSE = "hold temporary files";

  private final @Nullable Configuration conf;
  private final Thread hook = new Thread(this::delete);
  private @Nullable Path folder;

  ScratchFolder(@Nullable Configuration conf) {
    this.conf = conf;
  }

  /**
   * Returns the folder.
   *
   * @throws InterruptedIOException if the folder does not exist yet and the JVM is being stopped
   */
  synchronized Path path() throws IOException {
    if (folder == null) {
      StoppedJvm.addHook(hook, HOOK_PRIORITY); // before there is a folder
      Path parent = parent(conf);
      try {
        Files.createDirectories(parent);
        folder = Files.createTempDirectory(parent, "saev-hadoop-"); // 0700
        requireSpace(folder);
      } catch (IOException e) {
        delete();
        StoppedJvm.removeHook(hook);
        throw WriteFailure.of(parent, PURPOSE, e);
      }
    }
    return folder;
  }

  /**
   * Checks that a folder can be created. Nothing is created.
   *
   * @throws IOException if it cannot
   */
  static void check(@Nullable Configuration conf) throws IOException {
    Path parent = parent(conf);
    Path existing = parent.toAbsolutePath();
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    String path = parent.toString();
    IOException refused = null;
    if (!Files.isDirectory(existing)) {
      refused = new FileSystemException(path, null, "Not a directory");
    } else if (!Files.isWritable(existing)) {
      refused = new AccessDeniedException(path);
    }
    if (refused != null) {
      throw WriteFailure.of(parent, PURPOSE, refused);
    }
  }

  /**
   * Fails on a full disk, because libraries that extract native code to the folder would otherwise
   * print stack traces.
   */
  private static void requireSpace(Path folder) throws IOException {
    Files.delete(Files.write(folder.resolve("space"), new byte[PAGE]));
  }

  /**
   * Returns the folder in which commands create their folders.
   *
   * @param conf the configuration; null if it contains nothing but defaults
   */
  static Path parent(@Nullable Configuration conf) {
    String configured =
        conf != null && ConfSettings.isSetByUser(conf, HADOOP_TEMPORARY)
            ? conf.get(HADOOP_TEMPORARY)
            : null;
    return Paths.get(configured == null ? System.getProperty("java.io.tmpdir") : configured);
  }

  /**
   * Deletes the folder. Threads of a command that is being stopped may still write to the folder.
   */
  private synchronized void delete() {
    long begun = System.nanoTime();
    while (folder != null) {
      try {
        LocalTree.delete(folder);
        folder = null;
      } catch (DirectoryNotEmptyException e) {
        boolean late = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) > DELETION_MILLIS;
        folder = late ? null : folder;
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
      } catch (IOException e) {
        // a temporary folder is left behind; the command has ended, and with its own result
        folder = null;
      }
    }
  }

  /** Deletes the folder, if it exists. */
  @Override
  public synchronized void close() {
    if (folder != null) {
      delete();
      StoppedJvm.removeHook(hook);
    }
  }
}
