package org.saevhadoop.format.kind;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.saevhadoop.format.io.Location;

/** The content of a folder that is not a dataset, according to the names of its files. */
public final class FolderKind {
  /** Zarr 2 (.zarray, .zgroup) and 3 (zarr.json). */
  private static final Set<String> ZARR = Set.of(".zarray", ".zgroup", "zarr.json");

  /** A document that several programs write: SAEV, activault, and the writers of pickled shards. */
  private static final String METADATA = "metadata.json";

  private FolderKind() {}

  /**
   * Returns the problem with a folder in which no format has found a dataset, such as {@code
   * contains numpy arrays (*.npy), which are not read}; empty if that is unknown.
   */
  public static Optional<String> problem(Location folder) throws IOException {
    Set<String> files = folder.files().keySet();
    Optional<String> columnar = ColumnarFolder.problem(folder.folder());
    if (columnar.isPresent()) {
      return columnar;
    }
    if (files.isEmpty()) {
      return folder.folder().folders().isEmpty() ? Optional.of("is empty") : Optional.empty();
    }
    if (files.stream().anyMatch(ZARR::contains)) {
      String array =
          files.contains(".zarray") ? "zarr.open('%s')[:]" : "zarr.open('%s')['NAME'][:]";
      return Optional.of(
          "is a Zarr array or group, which is not read"
              + FileKind.rewriting("zarr", array, folder.path()));
    }
    Optional<String> most = mostFrequent(files);
    String metadata = files.contains(METADATA) ? "a metadata.json from another program" : "";
    if (most.isPresent()) {
      String and = metadata.isEmpty() ? "" : " and " + metadata;
      return Optional.of("contains %s%s, which are not read".formatted(most.get(), and));
    }
    return Optional.of(metadata).filter(text -> !text.isEmpty()).map(text -> "has " + text);
  }

  private static Optional<String> mostFrequent(Set<String> files) {
    Map<FileKind, Integer> counts = new EnumMap<>(FileKind.class);
    Map<FileKind, String> endings = new EnumMap<>(FileKind.class);
    for (String file : files) {
      FileKind.named(file)
          .ifPresent(
              kind -> {
                counts.merge(kind, 1, Integer::sum);
                endings.putIfAbsent(kind, kind.ending(file).orElseThrow());
              });
    }
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(kind -> "%s (*.%s)".formatted(kind.getKey().plural(), endings.get(kind.getKey())));
  }
}
