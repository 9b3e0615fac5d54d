package org.saevhadoop.format.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.WriteFailure;

/**
 * An operating system lock on a local file.
 *
 * @param held the real path of the file
 * @param fileKey the identity of the locked file
 */
record LocalRunLock(Path file, Path held, Object fileKey, FileChannel channel) implements RunLock {
  /**
   * The files that this process has locked. The operating system associates locks with the process:
   * closing any channel on a locked file would release the lock, so a second channel must not even
   * be opened.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /** Locks a file; returns null if the file is already locked. */
  static @Nullable RunLock tryLock(Path file) throws IOException {
    Path held = Objects.requireNonNull(file.getParent()).toRealPath().resolve(file.getFileName());
    if (!HELD.add(held)) {
      return null;
    }
    FileChannel channel = null;
    boolean locked = false;
    try {
      create(file);
      // determined before the file is opened: if another file is at the path after the file was
      // locked, the lock is worthless
      Object fileKey = fileKey(file);
      channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      FileLock lock = channel.tryLock();
      locked = lock != null;
      return locked ? new LocalRunLock(file, held, fileKey, channel) : null;
    } finally {
      if (!locked) {
        HELD.remove(held);
        if (channel != null) {
          channel.close();
        }
      }
    }
  }

  private static void create(Path file) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      return; // the file belongs to another run, or to one that was killed
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      throw WriteFailure.of(file, "be created", e);
    }
  }

  private static Object fileKey(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  @Override
  public boolean isCurrent() throws IOException {
    try {
      return Objects.equals(fileKey, fileKey(file));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      HELD.remove(held);
    }
  }
}
