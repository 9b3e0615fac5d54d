package org.saevhadoop.format.arrays.file;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.saevhadoop.format.io.Quote;

/**
 * Warnings about files. Each kind of warning is one line, because similar files cause the same
 * warnings.
 */
public final class FileWarnings {
  /**
   * A kind of warning.
   *
   * @param text the text of the warning about the first file
   */
  private record Kind(String text, Set<String> files) {}

  /** A CRC-32, the folder in the name of an archive entry, or a number. */
  private static final Pattern OF_FILES = Pattern.compile("\\b[0-9a-f]{8}\\b|\"[^\"/]*/|[0-9]+");

  private final Map<String, Kind> kinds = new LinkedHashMap<>();

  /**
   * Adds a warning; numbers, checksums and folders of entries in its text are specific to the file.
   */
  public void add(String text, String file) {
    add(OF_FILES.matcher(text).replaceAll("#"), text, file);
  }

  /**
   * Adds a warning.
   *
   * @param kind the text that warnings about several files have in common
   * @param file the path of the file
   */
  public void add(String kind, String text, String file) {
    kinds.computeIfAbsent(kind, key -> new Kind(text, new LinkedHashSet<>())).files.add(file);
  }

  /** Returns a line for each kind of warning, naming the first file. */
  public List<String> lines() {
    return kinds.values().stream()
        .map(
            kind -> {
              String line = "%s: %s".formatted(kind.files.iterator().next(), kind.text);
              int others = kind.files.size() - 1;
              return others == 0
                  ? line
                  : Quote.sentence("%s (also in %d other files)", line, others);
            })
        .toList();
  }
}
