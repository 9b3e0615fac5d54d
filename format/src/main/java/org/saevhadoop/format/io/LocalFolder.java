package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Directory of the local file system.
 *
 * @param queue forces files that are created here to the disk; null if that is left to the system
 */
public record LocalFolder(Path directory, @Nullable ForceQueue queue) implements Folder {
  /** Creates a folder whose files are written to the disk whenever the system chooses to. */
  public LocalFolder(Path directory) {
    this(directory, null);
  }

  /** Returns a folder whose files are on the disk when {@link #awaitForced} returns. */
  public static LocalFolder forced(Path directory) {
    return new LocalFolder(directory, new ForceQueue());
  }

  @Override
  public String path() {
    return directory.toString();
  }

  @Override
  public SortedMap<String, Long> files() throws IOException {
    SortedMap<String, Long> files = new TreeMap<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        OptionalLong length = length(entry);
        if (length.isPresent()) {
          files.put(entry.getFileName().toString(), length.getAsLong());
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NotDirectoryException e) {
      throw FileError.NOT_A_FOLDER.in(path(), "is not a directory").causedBy(e);
    }
    return files;
  }

  /** Returns the length of a file, with one system call; empty for a directory. */
  private static OptionalLong length(Path entry) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(entry, BasicFileAttributes.class);
      return attributes.isDirectory()
          ? OptionalLong.empty()
          : OptionalLong.of(attributes.isRegularFile() ? attributes.size() : 0);
    } catch (IOException e) {
      return OptionalLong.of(0); // such as a broken link; opening it fails
    }
  }

  @Override
  public Optional<Folder> folder(String name) {
    Path path = directory.resolve(name);
    return Files.isDirectory(path) ? Optional.of(new LocalFolder(path, queue)) : Optional.empty();
  }

  @Override
  public SortedSet<String> folders() throws IOException {
    Path here = directory.toRealPath();
    SortedSet<String> folders = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (Files.isDirectory(entry) && !here.startsWith(entry.toRealPath())) {
          folders.add(entry.getFileName().toString());
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return folders;
  }

  @Override
  public Input open(String name) throws IOException {
    return LocalFile.open(directory.resolve(name));
  }

  @Override
  public boolean isLocked(String name) throws IOException {
    return HeldLocks.isHeld(directory.resolve(name));
  }

  @Override
  public boolean isSeekable() {
    return true;
  }

  @Override
  public Output create(String name) throws IOException {
    return LocalFile.create(directory.resolve(name), queue);
  }

  @Override
  public void awaitForced() throws IOException {
    if (queue != null) {
      queue.await();
    }
  }
}
