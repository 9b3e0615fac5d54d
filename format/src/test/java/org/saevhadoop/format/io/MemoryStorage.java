package org.saevhadoop.format.io;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A folder in memory that records the reads of its files and of those in its subfolders. */
public final class MemoryStorage implements Folder {
  private final String path;
  private final List<MemoryInput.Read> reads;
  private final SortedMap<String, byte[]> contents = new TreeMap<>();
  private final SortedMap<String, MemoryStorage> folders = new TreeMap<>();

  public MemoryStorage(String path) {
    this(path, new ArrayList<>());
  }

  private MemoryStorage(String path, List<MemoryInput.Read> reads) {
    this.path = path;
    this.reads = reads;
  }

  /** Returns a copy of a folder and all that is in it, under the same path. */
  public static MemoryStorage copyOf(Folder folder) throws IOException {
    return copyOf(folder, new ArrayList<>());
  }

  private static MemoryStorage copyOf(Folder folder, List<MemoryInput.Read> reads)
      throws IOException {
    MemoryStorage copy = new MemoryStorage(folder.path(), reads);
    for (String name : folder.files().keySet()) {
      copy.put(name, folder.readSmall(name, Integer.MAX_VALUE));
    }
    for (String name : folder.folders()) {
      copy.folders.put(name, copyOf(folder.folder(name).orElseThrow(), reads));
    }
    return copy;
  }

  /** Creates or replaces a file. */
  public void put(String name, byte[] bytes) {
    contents.put(name, bytes);
  }

  /** Returns a folder in this one, which is created if it does not exist. */
  public MemoryStorage makeFolder(String name) {
    return folders.computeIfAbsent(name, key -> new MemoryStorage(path + "/" + key, reads));
  }

  /** Returns the reads so far. */
  public List<MemoryInput.Read> reads() {
    return reads;
  }

  /** Returns the number of bytes read so far, each counted as often as it was read. */
  public long bytesRead() {
    return MemoryInput.bytes(reads);
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public SortedMap<String, Long> files() {
    SortedMap<String, Long> lengths = new TreeMap<>();
    contents.forEach((name, bytes) -> lengths.put(name, (long) bytes.length));
    return lengths;
  }

  @Override
  public Optional<Folder> folder(String name) {
    return Optional.ofNullable(folders.get(name));
  }

  @Override
  public SortedSet<String> folders() {
    return new TreeSet<>(folders.keySet());
  }

  @Override
  public Input open(String name) throws IOException {
    FileError.NOT_FOUND.check(contents.containsKey(name), path(name), "does not exist");
    return new MemoryInput(path(name), contents.get(name), reads);
  }

  @Override
  public Output create(String name) {
    return new MemoryOutput(path(name), bytes -> put(name, bytes));
  }
}
