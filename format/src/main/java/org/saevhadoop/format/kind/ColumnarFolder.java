package org.saevhadoop.format.kind;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.saevhadoop.format.io.Folder;

/** Folders of {@code datasets} and SAELens, recognized by the documents next to the data. */
final class ColumnarFolder {
  /** The documents that save_to_disk writes, which may lack their Arrow files. */
  private static final Set<String> DOCUMENTS =
      Set.of("dataset_info.json", "dataset_dict.json", "state.json");

  /** The document that SAELens uploads with its data files. */
  private static final String RUNNER = "cache_activations_runner_cfg.json";

  /** The folder to which SAELens writes until it has finished. */
  private static final String UNFINISHED = ".tmp_shards";

  private static final int LEVELS = 2;

  private ColumnarFolder() {}

  /**
   * Returns the problem with a folder that is, or contains, a folder of {@code datasets} or
   * SAELens.
   */
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
          "has the folder %s%s of an unfinished run of SAELens".formatted(prefix, UNFINISHED));
    }
    Optional<String> document = files.stream().filter(DOCUMENTS::contains).findFirst();
    if (document.isPresent() && folders.isEmpty() && files.stream().allMatch(DOCUMENTS::contains)) {
      return Optional.of(
          "has %s%s of a dataset of Hugging Face, but no Arrow files"
              .formatted(prefix, document.get()));
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
}
