package org.saevhadoop.mapreduce.publish.storage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.StoppedJvm;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;

/**
 * The operations of a storage on which publication depends. Symbolic links are entries like any
 * other: they are renamed and deleted, not followed.
 */
public interface RunStorage {
  /** The limits of a list of files; the largest datasets have millions. */
  JsonLimits FILES = new JsonLimits(256 << 20, 10_000_000, 1 << 16, 100);

  /** The kind of an entry. */
  enum EntryKind {
    ABSENT,
    FOLDER,
    FILE,
    /** A symbolic link, a named pipe or anything else. */
    OTHER;

    static EntryKind of(boolean isFolder, boolean isFile) {
      if (isFolder) {
        return FOLDER;
      }
      return isFile ? FILE : OTHER;
    }
  }

  /**
   * What is at a path.
   *
   * @param name the last component of the path
   * @param owner returns the name of the owner; empty if the storage has no owners. Looking it up
   *     may be slow
   */
  record Entry(String name, EntryKind kind, Supplier<String> owner) {}

  /** Returns the storage of a path. */
  static RunStorage of(Path path, Configuration conf) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    return HadoopFolder.isLocal(fs)
        ? new LocalRunStorage(ConfSettings.get(conf, OutputKeys.SYNC).forces(true))
        : new HadoopRunStorage(
            fs, Duration.ofSeconds(ConfSettings.get(conf, ConversionKeys.LOCK_TIMEOUT)));
  }

  /**
   * Returns whether the storage has folders: a file can only be created in one that exists, and a
   * rename moves one with all that is in it. Otherwise a rename copies each file.
   */
  boolean hasFolders();

  /**
   * Returns the time in milliseconds for which a lock may outlast the process that held it.
   *
   * @see #lock
   */
  default long lockMillis() {
    return 0;
  }

  /** Returns what is at a path; an entry of the kind ABSENT if nothing is there. */
  Entry entry(Path path) throws IOException;

  /** Returns the kind of what is at a path. */
  default EntryKind kind(Path path) throws IOException {
    return entry(path).kind();
  }

  /** Returns the entries of a folder. */
  List<Entry> list(Path folder) throws IOException;

  /**
   * Creates a folder whose parent exists.
   *
   * @return whether the folder was created; false if something is at the path
   * @throws FileNotFoundException if the parent does not exist
   */
  boolean createFolder(Path folder) throws IOException;

  /**
   * Creates a folder in another one. Missing folders between them are created too, but never the
   * outer one: if another process has removed it, its run is over. Does nothing on a storage in
   * which folders need not be created.
   *
   * @throws FileNotFoundException if the outer folder does not exist
   */
  static void createWithin(Path outer, Path inner, Configuration conf) throws IOException {
    RunStorage storage = RunStorage.of(outer, conf);
    FileSystem fs = outer.getFileSystem(conf);
    if (!storage.hasFolders()) {
      return;
    }
    Path root = fs.makeQualified(outer);
    Path folder = inner.getFileSystem(conf).makeQualified(inner);
    Deque<Path> missing = new ArrayDeque<>();
    while (folder != null && !folder.equals(root)) {
      missing.push(folder);
      folder = folder.getParent();
    }
    if (folder == null) { // committers may keep the files of tasks elsewhere
      inner.getFileSystem(conf).mkdirs(inner);
      return;
    }
    for (Path path : missing) {
      StoppedJvm.unlessStopping(() -> storage.createFolder(path));
    }
  }

  /**
   * Moves a folder within the storage.
   *
   * @throws IOException if something is at the new path, except an empty folder
   */
  void rename(Path from, Path to) throws IOException;

  /** Moves a file within the storage, in one operation, and replaces a file at the new path. */
  void replace(Path from, Path to) throws IOException;

  /**
   * Writes a small file, or replaces it, in one operation and {@linkplain #force forces} it to the
   * disk: the path never holds a part of the content. On a storage with folders, the content is
   * first written to a file named {@link #unfinished}, which a process that is killed may leave.
   */
  void write(Path file, byte[] content) throws IOException;

  /** Returns the path at which {@link #write} creates a file before it is renamed. */
  static Path unfinished(Path file) {
    return file.suffix(".new");
  }

  /**
   * Reads a small file.
   *
   * @param limit the maximum length in bytes
   * @throws FormatException if the file is longer
   */
  byte[] read(Path file, int limit) throws IOException;

  /**
   * Reads a JSON document that this program has written.
   *
   * @throws FormatException if it exceeds the limits, or is not UTF-8
   */
  default byte[] readJson(Path file, JsonLimits limits) throws IOException {
    byte[] text = read(file, limits.bytes());
    limits.check(HadoopStorage.show(file), text);
    return text;
  }

  /**
   * Reads a list of files that this program has written.
   *
   * @throws FormatException if it is damaged
   */
  default <T> T readFiles(Path file, TypeReference<T> type) throws IOException {
    byte[] text = readJson(file, FILES);
    try {
      return Jackson.MAPPER.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw FileError.DAMAGED
          .in(HadoopStorage.show(file), "is not a list of files (expected JSON of this program)")
          .causedBy(e);
    }
  }

  /** Reads an open file, as {@link #read} does. */
  static byte[] read(InputStream in, Path file, int limit) throws IOException {
    byte[] content = in.readNBytes(limit + 1);
    FileError.TOO_LARGE.check(
        content.length <= limit,
        HadoopStorage.show(file),
        "has more than %d bytes (expected at most that many in this document)",
        limit);
    return content;
  }

  /**
   * Forces the entries of a folder to the disk, as far as the storage has such an operation, and
   * unless {@link OutputKeys#SYNC} leaves it to the system.
   */
  void force(Path folder) throws IOException;

  /** Deletes an entry, and all that is in it. Nothing happens if there is no such entry. */
  void delete(Path path) throws IOException;

  /** Deletes a folder if it is empty, and returns whether it is gone. */
  boolean deleteEmpty(Path folder) throws IOException;

  /**
   * Aborts the uploads to a folder that were not completed.
   *
   * @return their number, as far as the storage knows it
   */
  default int abortUploads(Path folder) throws IOException {
    return 0;
  }

  /**
   * Locks a file, which is created if it does not exist.
   *
   * @return the lock; null if another process holds it
   * @throws FileNotFoundException if the folder of the file does not exist
   */
  @Nullable RunLock lock(Path file) throws IOException;

  /**
   * Returns whether a process holds the lock of a file. Nothing is created, and no lock is kept.
   */
  boolean isLocked(Path file) throws IOException;

  /**
   * Checks that the user may create entries in a folder. Nothing is created.
   *
   * @throws IOException if the user may not
   */
  void checkWritable(Path folder) throws IOException;

  /** Returns a path, or the folder nearest above it that exists. */
  default Path existing(Path path) throws IOException {
    Path found = path;
    while (found.getParent() != null && kind(found) == EntryKind.ABSENT) {
      found = found.getParent();
    }
    return found;
  }
}
