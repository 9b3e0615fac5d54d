package org.saevhadoop.format.storage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.json.JsonLimits;

/**
 * The operations of a storage on which publication depends. Symbolic links are entries like any
 * other: they are renamed and deleted, not followed.
 */
public interface RunStorage {
  /** The limits for a list of files; the largest datasets have millions of files. */
  JsonLimits FILES = new JsonLimits(256 << 20, 10_000_000, 1 << 16, 100);

  enum EntryKind {
    ABSENT,
    FOLDER,
    FILE,
    /** A symbolic link, a named pipe or anything else. */
    OTHER;

    public static EntryKind of(boolean isFolder, boolean isFile) {
      if (isFolder) {
        return FOLDER;
      }
      return isFile ? FILE : OTHER;
    }
  }

  /**
   * The entry at a path, or the absence of an entry.
   *
   * @param name the last component of the path
   * @param owner returns the name of the owner; empty if the storage has no owners; the lookup can
   *     be slow
   */
  record Entry(String name, EntryKind kind, Supplier<String> owner) {}

  /**
   * Returns whether the storage has folders: a file can be created only in an existing folder, and
   * one rename moves a folder with its content. Otherwise a rename copies each file.
   */
  boolean hasFolders();

  /**
   * Returns the maximum time in milliseconds for which a lock can outlast the process that held it.
   *
   * @see #lock
   */
  default long lockMillis() {
    return 0;
  }

  /** Returns the entry at a path; its kind is ABSENT if the path does not exist. */
  Entry entry(StoragePath path) throws IOException;

  default EntryKind kind(StoragePath path) throws IOException {
    return entry(path).kind();
  }

  /** Returns the name that the storage records as the owner of new files of this process. */
  String user() throws IOException;

  /** Returns whether a path is in an encryption zone. */
  default boolean isEncrypted(StoragePath path) throws IOException {
    return false;
  }

  List<Entry> list(StoragePath folder) throws IOException;

  /**
   * Creates a folder whose parent exists.
   *
   * @return whether the folder was created; false if the path already exists
   * @throws FileNotFoundException if the parent does not exist
   */
  boolean createFolder(StoragePath folder) throws IOException;

  /**
   * Creates a folder inside another folder. Missing folders between the two are created too, but
   * never the outer folder: if another process has removed the outer folder, the run to which it
   * belonged is over. Does nothing on a storage that does not require folders to be created.
   *
   * @return whether the outer folder contains the inner one; otherwise nothing is created
   * @throws FileNotFoundException if the outer folder does not exist
   */
  default boolean createWithin(StoragePath outer, StoragePath inner) throws IOException {
    Deque<StoragePath> missing = new ArrayDeque<>();
    StoragePath folder = inner;
    while (folder != null && !folder.equals(outer)) {
      missing.push(folder);
      folder = folder.parent();
    }
    if (folder != null && hasFolders()) {
      for (StoragePath path : missing) {
        StoppedJvm.unlessStopping(() -> createFolder(path));
      }
    }
    return folder != null;
  }

  /**
   * Creates a folder that only the user may read, along with any missing parent folders, unless the
   * folder exists.
   *
   * @param temporary whether the folder is deleted when the JVM ends, if it still exists
   */
  void createPrivate(StoragePath folder, boolean temporary) throws IOException;

  /** Creates a folder, along with any missing parent folders, unless the folder exists. */
  default void createFolders(StoragePath folder) throws IOException {
    if (kind(folder) == EntryKind.ABSENT) {
      createFolders(folder.folderAbove());
      createFolder(folder);
    }
  }

  /**
   * Moves a folder within the storage.
   *
   * @throws IOException if the new path exists and is not an empty folder
   */
  void rename(StoragePath from, StoragePath to) throws IOException;

  /** Moves a file within the storage, in one operation, and replaces a file at the new path. */
  void replace(StoragePath from, StoragePath to) throws IOException;

  /**
   * Writes or replaces a small file in one operation and {@linkplain #force forces} it to the disk:
   * the file at the path is never incomplete. On a storage with folders, the content is first
   * written to the file {@link #unfinished}; a killed process may leave that file behind.
   */
  void write(StoragePath file, byte[] content) throws IOException;

  /** Returns the path at which {@link #write} creates a file before it is renamed. */
  static StoragePath unfinished(StoragePath file) {
    return file.suffix(".new");
  }

  /**
   * Reads a small file.
   *
   * @param limit the maximum length in bytes
   * @throws FormatException if the file is longer
   */
  byte[] read(StoragePath file, int limit) throws IOException;

  /**
   * Reads a JSON document that this program has written.
   *
   * @throws FormatException if the document exceeds the limits, or is not UTF-8
   */
  default byte[] readJson(StoragePath file, JsonLimits limits) throws IOException {
    byte[] text = read(file, limits.bytes());
    limits.check(file.shown(), text);
    return text;
  }

  /**
   * Reads a list of files that this program has written.
   *
   * @throws FormatException if the list is damaged
   */
  default <T> T readFiles(StoragePath file, TypeReference<T> type) throws IOException {
    byte[] text = readJson(file, FILES);
    try {
      return Jackson.MAPPER.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw FileError.DAMAGED
          .in(file.shown(), "is not a list of files (expected JSON that this program wrote)")
          .causedBy(e);
    }
  }

  /** Reads an open file, with the same limit and errors as {@link #read(StoragePath, int)}. */
  static byte[] read(InputStream in, StoragePath file, int limit) throws IOException {
    byte[] content = in.readNBytes(limit + 1);
    FileError.TOO_LARGE.check(
        content.length <= limit,
        file.shown(),
        "has more than %d bytes (expected at most that many in this document)",
        limit);
    return content;
  }

  /**
   * Forces the entries of a folder to the disk, unless the storage has no such operation or the
   * user leaves this to the operating system.
   */
  void force(StoragePath folder) throws IOException;

  /** Deletes an entry with its content. Nothing happens if there is no such entry. */
  void delete(StoragePath path) throws IOException;

  /** Deletes a folder if it is empty, and returns whether the folder no longer exists. */
  boolean deleteEmpty(StoragePath folder) throws IOException;

  /**
   * Aborts incomplete uploads to a folder.
   *
   * @return the number of aborted uploads, if the storage knows it
   */
  default int abortUploads(StoragePath folder) throws IOException {
    return 0;
  }

  /**
   * Locks a file, which is created if it does not exist.
   *
   * @return the lock; null if another process holds it
   * @throws FileNotFoundException if the folder of the file does not exist
   */
  @Nullable RunLock lock(StoragePath file) throws IOException;

  /**
   * Returns whether a process holds the lock of a file. This method creates nothing and keeps no
   * lock.
   */
  boolean isLocked(StoragePath file) throws IOException;

  /** Returns an exception for a failure to write a file; the message names the file. */
  IOException writeFailure(StoragePath file, IOException cause);

  /**
   * Checks that the user may create entries in a folder, without creating anything.
   *
   * @throws IOException if the user may not create entries
   */
  void checkWritable(StoragePath folder) throws IOException;

  /** Returns the path if it exists; otherwise its nearest ancestor that exists. */
  default StoragePath existing(StoragePath path) throws IOException {
    StoragePath found = path;
    while (!found.isRoot() && kind(found) == EntryKind.ABSENT) {
      found = found.folderAbove();
    }
    return found;
  }
}
