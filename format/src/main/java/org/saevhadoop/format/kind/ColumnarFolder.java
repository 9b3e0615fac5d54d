package org.saevhadoop.format.kind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.PythonJson;

/** Folders of Arrow files, as Hugging Face's {@code datasets} and SAELens write them. */
final class ColumnarFolder {
  /** The description of the columns, written by save_to_disk; also without Arrow files. */
  private static final String INFO = "dataset_info.json";

  private static final Set<String> DOCUMENTS = Set.of(INFO, "dataset_dict.json", "state.json");

  /** The document that SAELens writes beside what it uploads. */
  private static final String RUNNER = "cache_activations_runner_cfg.json";

  /** The folder in which SAELens writes until it has finished. */
  private static final String UNFINISHED = ".tmp_shards";

  private static final JsonLimits LIMITS = new JsonLimits(1 << 20, 100_000, 1 << 16, 100);
  private static final int MAX_COLUMNS = 5;
  private static final int MAX_SHOWN = 100;
  private static final int LEVELS = 2;

  private ColumnarFolder() {}

  /** Returns what is wrong with a folder that is, or contains, a dataset in such files. */
  static Optional<String> problem(Folder folder) throws IOException {
    return problem(folder, LEVELS, "");
  }

  private static Optional<String> problem(Folder folder, int levels, String prefix)
      throws IOException {
    Folder.Listing listing = folder.list();
    Set<String> files = listing.files().keySet();
    Set<String> folders = listing.folders();
    if (folders.contains(UNFINISHED)) {
      return Optional.of(
          "has the folder %s%s of a run of SAELens that has not finished"
              .formatted(prefix, UNFINISHED));
    }
    boolean arrow = files.stream().anyMatch(file -> file.endsWith(".arrow"));
    boolean documents = files.stream().anyMatch(DOCUMENTS::contains);
    if (documents && (arrow || files.stream().noneMatch(file -> FileKind.named(file).isPresent()))
        || arrow) {
      String of =
          documents ? "a dataset of Hugging Face in Arrow files" : "a dataset in Arrow files";
      return Optional.of(named(of, prefix) + columns(folder, files) + ", which is not read");
    }
    for (String name :
        levels > 0 && files.stream().allMatch(ColumnarFolder::isBeside)
            ? folders
            : Set.<String>of()) {
      Optional<Folder> below = name.startsWith(".") ? Optional.empty() : folder.folder(name);
      Optional<String> found =
          below.isPresent()
              ? problem(below.get(), levels - 1, prefix + name + "/")
              : Optional.empty();
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static boolean isBeside(String file) {
    return file.equals(RUNNER)
        || DOCUMENTS.contains(file)
        || file.startsWith(".")
        || file.endsWith(".md")
        || file.endsWith(".json");
  }

  private static String named(String what, String prefix) {
    return prefix.isEmpty()
        ? "is " + what
        : "has %s in %s".formatted(what, prefix.substring(0, prefix.length() - 1));
  }

  /** Returns the names, shapes and types of columns; empty if there is no description. */
  private static String columns(Folder folder, Set<String> files) throws IOException {
    if (!files.contains(INFO)) {
      return "";
    }
    List<String> columns = new ArrayList<>();
    try {
      Object json = PythonJson.parse(folder.path(INFO), LIMITS.read(folder, INFO));
      Object features = json instanceof Map<?, ?> map ? map.get("features") : null;
      if (features instanceof Map<?, ?> map) {
        map.forEach((name, feature) -> columns.add(column(name, feature)));
      }
    } catch (FormatException e) {
      return ""; // the folder is not read anyway
    }
    return columns.isEmpty()
        ? ""
        : " with the columns "
            + String.join(", ", columns.subList(0, Math.min(MAX_COLUMNS, columns.size())));
  }

  private static String column(Object name, Object feature) {
    String shown = Quote.show(String.valueOf(name), MAX_SHOWN);
    return feature instanceof Map<?, ?> map
            && map.get("shape") instanceof List<?> shape
            && map.get("dtype") instanceof String dtype
        ? "%s %s%s"
            .formatted(shown, Quote.show(dtype, MAX_SHOWN), Quote.show(sizes(shape), MAX_SHOWN))
        : shown;
  }

  private static String sizes(List<?> shape) {
    return shape.stream()
        .map(size -> size instanceof JsonNumber number ? number.text() : "?")
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
