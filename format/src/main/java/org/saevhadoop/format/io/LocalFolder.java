package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Directory of the local file system. */
public final class LocalFolder implements Folder {
  /**
   * The file in which Linux lists the {@code flock} and {@code fcntl} locks of all processes.
   * {@code FileChannel.tryLock} does not detect {@code flock} locks. vLLM holds such a lock on
   * {@code NAME.lock} until it has written NAME: example_hidden_states_connector.py, commit
   * 015a95c8, {@code wait_for_save}.
   */
  private static final Path LOCKS = Path.of("/proc/locks");

  private final Path directory;

  /** The queue that forces files created here to the disk; null to leave this to the system. */
  private final @Nullable ForceQueue queue;

  /** The lengths of the files at the time of the last listing; empty before the first listing. */
  private volatile SortedMap<String, Long> listed = Collections.emptySortedMap();

  LocalFolder(Path directory, @Nullable ForceQueue queue) {
    this.directory = directory;
    this.queue = queue;
  }

  /**
   * Creates a folder that does not force its files to disk; the operating system decides when they
   * are written.
   */
  public LocalFolder(Path directory) {
    this(directory, null);
  }

  /** Returns a folder whose files are on the disk when {@link #awaitForced} returns. */
  public static LocalFolder forced(Path directory) {
    return new LocalFolder(directory, new ForceQueue());
  }

  @Nullable ForceQueue queue() {
    return queue;
  }

  public Path directory() {
    return directory;
  }

  @Override
  public String path() {
    return directory.toString();
  }

  @Override
  public SortedMap<String, Long> files() throws IOException {
    return list().files();
  }

  @Override
  public SortedSet<String> folders() throws IOException {
    return list().folders();
  }

  @Override
  public Listing list() throws IOException {
    SortedMap<String, Long> files = new TreeMap<>();
    SortedSet<String> folders = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        OptionalLong length = length(entry);
        if (length.isPresent()) {
          files.put(entry.getFileName().toString(), length.getAsLong());
        } else if (!isEnclosing(entry)) {
          folders.add(entry.getFileName().toString());
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NotDirectoryException e) {
      throw FileError.NOT_A_FOLDER.in(path(), "is not a directory").causedBy(e);
    }
    listed = Collections.unmodifiableSortedMap(files);
    return new Listing(listed, folders);
  }

  /** Returns whether an entry is a link to the directory or to one of its ancestors. */
  private boolean isEnclosing(Path entry) throws IOException {
    return Files.isSymbolicLink(entry) && directory.toRealPath().startsWith(entry.toRealPath());
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
  public Optional<Folder> parent() {
    return Optional.ofNullable(directory.toAbsolutePath().normalize().getParent())
        .map(parent -> new LocalFolder(parent, queue));
  }

  @Override
  public Optional<Folder> folder(String name) {
    Path path = directory.resolve(name);
    return Files.isDirectory(path) ? Optional.of(new LocalFolder(path, queue)) : Optional.empty();
  }

  @Override
  public Input open(String name) throws IOException {
    // only a regular file is listed with a length
    return LocalFile.open(directory.resolve(name), listed.getOrDefault(name, 0L) > 0);
  }

  @Override
  public boolean isLocked(String name) throws IOException {
    String key;
    try {
      Path file = directory.resolve(name);
      long device = (Long) Files.getAttribute(file, "unix:dev");
      key = lockKey(device, (Long) Files.getAttribute(file, "unix:ino"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false; // deleted in the meantime
    }
    if (!Files.isReadable(LOCKS)) {
      return false;
    }
    try (Stream<String> lines = Files.lines(LOCKS, StandardCharsets.ISO_8859_1)) {
      return lines.anyMatch(line -> line.contains(key) && !line.contains("->"));
    }
  }

  /** Returns a file's key in the list of locks: the hexadecimal device numbers and the inode. */
  private static String lockKey(long device, long inode) {
    long major = device >>> 8 & 0xfff | device >>> 32 & ~0xfffL;
    long minor = device & 0xff | device >>> 12 & ~0xffL;
    return " %02x:%02x:%d ".formatted(major, minor, inode);
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
  public Optional<LocalSpool> createSpool(String name) throws IOException {
    return Optional.of(LocalSpool.named(directory.resolve(name), queue));
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(directory.resolve(name));
  }

  @Override
  public void awaitForced() throws IOException {
    if (queue != null) {
      queue.await();
    }
  }
}
