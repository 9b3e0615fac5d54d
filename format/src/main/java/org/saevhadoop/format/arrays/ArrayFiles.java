package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;

/** Finds files of arrays in a folder and, if a pattern names them, in the folders below it. */
public final class ArrayFiles {
  /**
   * A file.
   *
   * @param path the path relative to the folder of the dataset
   * @param bytes the length of the file in bytes
   * @param parts what the placeholders of the pattern stand for in it
   */
  public record Found(
      Folder folder, String name, String path, long bytes, Map<NamePattern.Part, String> parts) {}

  private final ArrayReader reader;
  private final @Nullable NamePattern pattern;
  private final List<Found> found = new ArrayList<>();

  private ArrayFiles(ArrayReader reader, @Nullable NamePattern pattern) {
    this.reader = reader;
    this.pattern = pattern;
  }

  /**
   * Returns the files of a dataset, in no particular order.
   *
   * @throws org.saevhadoop.format.io.FormatException if there are none
   */
  public static List<Found> of(Location location, ArrayReader reader, @Nullable NamePattern pattern)
      throws IOException {
    ArrayFiles files = new ArrayFiles(reader, location.isFile() ? null : pattern);
    if (location.isFile()) {
      long bytes = location.files().getOrDefault(location.file(), 0L);
      files.found.add(
          new Found(location.folder(), location.file(), location.file(), bytes, Map.of()));
      return files.found;
    }
    long depth = pattern == null ? 0 : pattern.toString().chars().filter(c -> c == '/').count();
    files.search(location.folder(), "", depth);
    ArrayError.NO_MATCH.check(
        !files.found.isEmpty(),
        location.path(),
        "has no file %s",
        pattern == null ? "of arrays" : pattern.toString());
    return files.found;
  }

  private void search(Folder folder, String prefix, long depth) throws IOException {
    if (depth > 0) {
      for (String name : folder.folders()) {
        Optional<Folder> below = folder.folder(name);
        if (below.isPresent()) {
          search(below.get(), prefix + name + "/", depth - 1);
        }
      }
      return;
    }
    for (Map.Entry<String, Long> file : folder.files().entrySet()) {
      String name = file.getKey();
      String path = prefix + name;
      Optional<Map<NamePattern.Part, String>> parts =
          pattern != null
              ? pattern.match(path)
              : Optional.of(Map.<NamePattern.Part, String>of()).filter(p -> reader.isNamed(name));
      parts.ifPresent(values -> found.add(new Found(folder, name, path, file.getValue(), values)));
    }
  }
}
