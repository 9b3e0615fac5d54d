package org.saevhadoop.format.entries;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;

/**
 * A folder whose files are read from staged entries. Names are relative to this folder.
 * Thread-safe.
 */
public final class EntryFolder<E> extends ForwardingFolder {
  private final Parts<E> parts;
  private final String prefix;

  /** The parts in a folder. The most recently used parts remain in memory. */
  private static final class Parts<E> {
    private static final int MAX_KEPT = 64;

    private final Folder staged;
    private final EntryContent<E> content;
    private final Map<String, List<Integer>> numbers = new HashMap<>();
    private final Map<Integer, List<E>> kept =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Integer, List<E>> eldest) {
            return size() > MAX_KEPT;
          }
        };

    Parts(Folder staged, List<List<String>> files, EntryContent<E> content) {
      this.staged = staged;
      this.content = content;
      for (int i = 0; i < files.size(); i++) {
        for (String file : files.get(i)) {
          numbers.computeIfAbsent(file, unknown -> new ArrayList<>(1)).add(i);
        }
      }
    }

    /** Returns the entries of a file; empty if no part contains the file. */
    synchronized Optional<List<E>> of(String file) throws IOException {
      List<Integer> found = numbers.getOrDefault(file, List.of());
      List<E> entries = new ArrayList<>();
      for (int number : found) {
        List<E> part = kept.get(number);
        if (part == null) {
          part = content.read(staged, number);
          kept.put(number, part);
        }
        part.stream().filter(entry -> content.file(entry).equals(file)).forEach(entries::add);
      }
      return found.isEmpty() ? Optional.empty() : Optional.of(entries);
    }
  }

  private EntryFolder(Folder folder, Parts<E> parts, String prefix) {
    super(folder);
    this.parts = parts;
    this.prefix = prefix;
  }

  /**
   * Wraps a folder.
   *
   * @param staged the folder with the staged entries
   * @param files the paths of the files in each part
   */
  static <E> Folder of(
      Folder folder, Folder staged, List<List<String>> files, EntryContent<E> content) {
    return new EntryFolder<>(folder, new Parts<>(staged, files, content), "");
  }

  /** Returns the folder that contains the staged entries. */
  public Folder staged() {
    return parts.staged;
  }

  /** Returns the entries of a file; empty if the file is not staged. */
  public <T> List<T> entries(String name, Class<T> type) throws IOException {
    return parts.of(prefix + name).orElse(List.of()).stream().map(type::cast).toList();
  }

  @Override
  public Optional<Folder> folder(String name) throws IOException {
    return folder().folder(name).map(below -> new EntryFolder<>(below, parts, prefix + name + "/"));
  }

  @Override
  public Input open(String name) throws IOException {
    Optional<List<E>> entries = parts.of(prefix + name);
    return entries.isEmpty()
        ? folder().open(name)
        : parts.content.open(folder(), name, parts.staged, entries.get());
  }
}
