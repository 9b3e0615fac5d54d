package org.saevhadoop.format.staged;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.Folder;

/**
 * The entries of files in a folder of staged parts. The most recently used parts stay in memory.
 * Threads may share it.
 *
 * @param <P> what is known of the entries of a part
 */
public final class StagedEntries<P> {
  private static final int MAX_KEPT = 64;

  /** Reads what is known of a part. */
  @FunctionalInterface
  public interface Reader<P> {
    P read(Folder staged, int number) throws IOException;
  }

  private final Folder staged;
  private final Reader<P> reader;
  private final Map<String, List<Integer>> numbers = new HashMap<>();
  private final Map<Integer, P> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, P> eldest) {
          return size() > MAX_KEPT;
        }
      };

  /**
   * Creates the entries of a dataset.
   *
   * @param files the paths of the files of each part
   */
  public StagedEntries(Folder staged, List<List<String>> files, Reader<P> reader) {
    this.staged = staged;
    this.reader = reader;
    for (int i = 0; i < files.size(); i++) {
      for (String file : files.get(i)) {
        numbers.computeIfAbsent(file, unknown -> new ArrayList<>(1)).add(i);
      }
    }
  }

  /** Returns the folder of the parts. */
  public Folder folder() {
    return staged;
  }

  /** Returns the parts with entries of a file, in their order; none if it is not staged. */
  public synchronized List<P> of(String file) throws IOException {
    List<P> parts = new ArrayList<>();
    for (int number : numbers.getOrDefault(file, List.of())) {
      P part = kept.get(number);
      if (part == null) {
        part = reader.read(staged, number);
        kept.put(number, part);
      }
      parts.add(part);
    }
    return parts;
  }
}
