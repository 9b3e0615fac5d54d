package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.ShutdownHookManager;
import org.saevhadoop.mapreduce.conf.ConfSettings;

/**
 * Hadoop's local file system, which sets permissions through {@code java.nio.file}. Without its
 * native library, Hadoop starts a {@code chmod} process for each file instead, about 30 per job in
 * the local runner.
 */
public final class NioLocalFileSystem extends LocalFileSystem {
  private static final String KEY = "fs.file.impl";

  public NioLocalFileSystem() {
    super(new NioRawFileSystem());
  }

  /**
   * Makes this the local file system of the process, unless the user has chosen another one. Hadoop
   * caches the instance, so the key does not have to stay set: file systems that load classes with
   * their own class loader, such as S3A, would not find this class in a jar that {@code hadoop jar}
   * runs.
   */
  public static void install(Configuration conf) throws IOException {
    if (!ConfSettings.isSetByUser(conf, KEY)) {
      Configuration own = new Configuration(conf);
      own.setClass(KEY, NioLocalFileSystem.class, FileSystem.class);
      // otherwise threads that run while the JVM is being stopped would get Hadoop's own class
      own.setBoolean("fs.automatic.close", false);
      FileSystem.get(FsConstants.LOCAL_FS_URI, own);
    }
  }

  private static final class NioRawFileSystem extends RawLocalFileSystem {
    /**
     * {@inheritDoc} Files are created with their missing parents, so tasks that still run while the
     * JVM is being stopped would create deleted temporary folders again.
     */
    @Override
    public boolean mkdirs(Path path) throws IOException {
      if (ShutdownHookManager.get().isShutdownInProgress()) {
        throw new InterruptedIOException("the command was stopped");
      }
      return super.mkdirs(path);
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      java.nio.file.Path file = pathToFile(path).toPath();
      if (permission.getStickyBit() || !isPosix(file)) {
        super.setPermission(path, permission);
      } else {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permission.toString()));
      }
    }

    private static boolean isPosix(java.nio.file.Path file) {
      return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
  }
}
