package org.saevhadoop.converters.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system, which sets permissions through {@code java.nio.file}. Without its
 * native library, Hadoop starts a {@code chmod} for each file instead, some thirty for a job of the
 * local runner.
 */
public final class NioLocalFileSystem extends LocalFileSystem {
  public NioLocalFileSystem() {
    super(new NioRawFileSystem());
  }

  private static final class NioRawFileSystem extends RawLocalFileSystem {
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
