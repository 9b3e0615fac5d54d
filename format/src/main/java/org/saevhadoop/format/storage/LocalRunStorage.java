package org.saevhadoop.format.storage;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.WriteFailure;

/** The local disk. */
public class LocalRunStorage implements RunStorage {
  private static final int DELETE_ATTEMPTS = 10;

  private final boolean forces;

  /**
   * @param forces whether files and folders are forced to the disk; on ext4, forcing a new file
   *     also writes the content of other new files
   */
  public LocalRunStorage(boolean forces) {
    this.forces = forces;
  }

  private static Path local(StoragePath path) {
    return ((LocalPath) path).path();
  }

  @Override
  public String user() {
    return System.getProperty("user.name");
  }

  @Override
  public boolean hasFolders() {
    return true;
  }

  @Override
  public Entry entry(StoragePath path) throws IOException {
    try {
      return entry(local(path));
    } catch (NoSuchFileException e) {
      return new Entry(path.name(), EntryKind.ABSENT, () -> "");
    } catch (IOException e) {
      throw WriteFailure.of(local(path), "be accessed", e);
    }
  }

  private static Entry entry(Path path) throws IOException {
    String name = String.valueOf(path.getFileName());
    PosixFileAttributeView posix =
        Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (posix == null) { // a disk without POSIX owners
      return new Entry(
          name,
          kind(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)),
          () -> "");
    }
    PosixFileAttributes attributes = posix.readAttributes();
    return new Entry(name, kind(attributes), () -> attributes.owner().getName());
  }

  private static EntryKind kind(BasicFileAttributes attributes) {
    return EntryKind.of(attributes.isDirectory(), attributes.isRegularFile());
  }

  @Override
  public List<Entry> list(StoragePath folder) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(local(folder))) {
      for (Path entry : stream) {
        entries.add(entry(entry));
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException e) {
      throw notFound(e);
    }
    return entries;
  }

  @Override
  public boolean createFolder(StoragePath folder) throws IOException {
    try {
      Files.createDirectory(local(folder));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (NoSuchFileException e) {
      throw notFound(e);
    } catch (IOException e) {
      throw WriteFailure.of(local(folder), "be created", e);
    }
  }

  /**
   * {@inheritDoc} Temporary folders are created in a folder of the command, which is deleted when
   * the command ends.
   */
  @Override
  public void createPrivate(StoragePath folder, boolean temporary) throws IOException {
    createFolders(folder);
    PosixFileAttributeView posix =
        Files.getFileAttributeView(local(folder), PosixFileAttributeView.class);
    if (posix != null) {
      posix.setPermissions(PosixFilePermissions.fromString("rwx------"));
    }
  }

  private static FileNotFoundException notFound(NoSuchFileException e) {
    FileNotFoundException missing = new FileNotFoundException(e.getMessage());
    missing.initCause(e);
    return missing;
  }

  @Override
  public void rename(StoragePath from, StoragePath to) throws IOException {
    if (kind(to) == EntryKind.FILE) {
      throw new FileAlreadyExistsException(local(to).toString());
    }
    try {
      // rename(2): fails if the target exists, unless both are folders and the target is empty
      Files.move(local(from), local(to), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw WriteFailure.of(local(from), "be renamed to " + local(to), e);
    }
  }

  @Override
  public void replace(StoragePath from, StoragePath to) throws IOException {
    try {
      Files.move(local(from), local(to), StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      throw notFound(e);
    } catch (IOException e) {
      throw WriteFailure.of(local(from), "be renamed to " + local(to), e);
    }
  }

  @Override
  public void write(StoragePath file, byte[] content) throws IOException {
    StoragePath unfinished = RunStorage.unfinished(file);
    delete(unfinished); // left by a process that was killed
    try (FileChannel channel =
        FileChannel.open(
            local(unfinished), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      if (forces) {
        channel.force(true);
      }
    } catch (IOException e) {
      throw WriteFailure.of(local(file), "be written", e);
    }
    replace(unfinished, file);
    force(file.folderAbove());
  }

  @Override
  public byte[] read(StoragePath file, int limit) throws IOException {
    try (InputStream in = Files.newInputStream(local(file), LinkOption.NOFOLLOW_LINKS)) {
      return RunStorage.read(in, file, limit);
    } catch (NoSuchFileException e) {
      throw notFound(e);
    }
  }

  @Override
  public void force(StoragePath folder) throws IOException {
    if (!forces) {
      return;
    }
    try (FileChannel channel = FileChannel.open(local(folder), StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      throw WriteFailure.of(local(folder), "be forced to the disk", e);
    }
  }

  @Override
  public void delete(StoragePath path) throws IOException {
    if (kind(path) == EntryKind.ABSENT) {
      return;
    }
    for (int attempt = 1; ; attempt++) {
      try {
        LocalTree.delete(local(path));
        return;
      } catch (DirectoryNotEmptyException e) {
        // tasks of a run that is being ended may still create files
        if (attempt == DELETE_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  @Override
  public boolean deleteEmpty(StoragePath folder) throws IOException {
    try {
      Files.deleteIfExists(local(folder));
      return true;
    } catch (DirectoryNotEmptyException e) {
      return false;
    }
  }

  @Override
  public @Nullable RunLock lock(StoragePath file) throws IOException {
    try {
      return LocalRunLock.tryLock(local(file));
    } catch (NoSuchFileException e) {
      throw notFound(e);
    }
  }

  /** {@inheritDoc} The only way to find out is to try to lock the file. */
  @Override
  public boolean isLocked(StoragePath file) throws IOException {
    if (kind(file) == EntryKind.ABSENT) {
      return false;
    }
    try (RunLock tried = lock(file)) {
      return tried == null;
    }
  }

  @Override
  public IOException writeFailure(StoragePath file, IOException cause) {
    return WriteFailure.of(local(file), "be written", cause);
  }

  @Override
  public void checkWritable(StoragePath folder) throws IOException {
    if (!Files.isWritable(local(folder))) {
      throw WriteFailure.of(
          local(folder), "be written", new AccessDeniedException(local(folder).toString()));
    }
  }
}
