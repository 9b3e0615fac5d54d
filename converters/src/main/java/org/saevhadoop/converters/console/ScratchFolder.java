package org.saevhadoop.converters.console;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ShutdownHookManager;
import org.saevhadoop.format.io.LocalTree;
import org.saevhadoop.format.io.WriteFailure;

/**
 * The folder of a command for temporary files on the local disk: below {@code hadoop.tmp.dir} if
 * that is set, else below {@code java.io.tmpdir}. It is created when it is first needed, only its
 * user can read it, and it is deleted when the command ends, also by a signal.
 */
final class ScratchFolder implements Closeable {
  private static final String HADOOP_TEMPORARY = "hadoop.tmp.dir";

  /** Before Hadoop closes its file systems, but after jobs were killed. */
  private static final int HOOK_PRIORITY = 15;

  private final Configuration conf;
  private Path folder;
  private Thread hook;

  ScratchFolder(Configuration conf) {
    this.conf = conf;
  }

  /** Returns the folder. */
  synchronized Path path() throws IOException {
    if (folder == null) {
      Path parent = parent();
      try {
        Files.createDirectories(parent);
        folder = Files.createTempDirectory(parent, "saev-hadoop-"); // 0700
      } catch (IOException e) {
        throw WriteFailure.of(parent, "hold temporary files", e);
      }
      hook = new Thread(this::delete);
      ShutdownHookManager.get().addShutdownHook(hook, HOOK_PRIORITY);
    }
    return folder;
  }

  private Path parent() {
    String[] sources = conf.getPropertySources(HADOOP_TEMPORARY);
    boolean set =
        sources != null
            && !Arrays.stream(sources).allMatch(source -> source.endsWith("-default.xml"));
    return Paths.get(set ? conf.get(HADOOP_TEMPORARY) : System.getProperty("java.io.tmpdir"));
  }

  private void delete() {
    try {
      LocalTree.delete(folder);
    } catch (IOException e) {
      // a temporary folder is left behind; the command has ended, and with its own result
    }
  }

  /** Deletes the folder, if there is one. */
  @Override
  public synchronized void close() {
    if (folder != null) {
      delete();
      folder = null;
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(hook);
      }
    }
  }

  /** Returns a name that no other command uses. */
  static String uniqueName(String purpose) {
    return "saev-hadoop-" + purpose + "-" + UUID.randomUUID();
  }
}
