package org.saevhadoop.format.inflated;

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
import org.saevhadoop.format.zip.StoredZip;

/**
 * A folder whose compressed archives are read from inflated entries. Names are relative to the
 * folder itself. Threads may share it.
 */
final class InflatedFolder extends ForwardingFolder {
  private final Parts parts;
  private final String prefix;

  /** The parts in a folder. The most recently used ones stay in memory. */
  private static final class Parts {
    private static final int MAX_KEPT = 64;

    private final Folder staged;
    private final Map<String, List<Integer>> numbers = new HashMap<>();
    private final Map<Integer, InflatedPart> kept =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Integer, InflatedPart> eldest) {
            return size() > MAX_KEPT;
          }
        };

    Parts(Folder staged, List<List<String>> archives) {
      this.staged = staged;
      for (int i = 0; i < archives.size(); i++) {
        for (String archive : archives.get(i)) {
          numbers.computeIfAbsent(archive, unknown -> new ArrayList<>(1)).add(i);
        }
      }
    }

    /** Returns the entries of an archive; none if they are not compressed. */
    synchronized List<StoredZip.Entry> entries(String archive) throws IOException {
      List<StoredZip.Entry> entries = new ArrayList<>();
      for (int number : numbers.getOrDefault(archive, List.of())) {
        InflatedPart part = kept.get(number);
        if (part == null) {
          part = InflatedPart.read(staged, number);
          kept.put(number, part);
        }
        entries.addAll(part.of(archive));
      }
      return entries;
    }
  }

  private InflatedFolder(Folder folder, Parts parts, String prefix) {
    super(folder);
    this.parts = parts;
    this.prefix = prefix;
  }

  /**
   * Wraps a folder.
   *
   * @param staged the folder with the inflated entries
   * @param archives the paths of the archives of each part
   */
  static Folder of(Folder folder, Folder staged, List<List<String>> archives) {
    return new InflatedFolder(folder, new Parts(staged, archives), "");
  }

  @Override
  public Optional<Folder> folder(String name) throws IOException {
    return folder()
        .folder(name)
        .map(below -> new InflatedFolder(below, parts, prefix + name + "/"));
  }

  @Override
  public Input open(String name) throws IOException {
    List<StoredZip.Entry> entries = parts.entries(prefix + name);
    return entries.isEmpty()
        ? folder().open(name)
        : StoredZip.open(folder().path(name), entries, parts.staged::open);
  }
}
