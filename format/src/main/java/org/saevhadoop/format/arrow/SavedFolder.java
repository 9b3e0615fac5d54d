package org.saevhadoop.format.arrow;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.arrow.file.ArrowError;
import org.saevhadoop.format.dataset.NaturalOrder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.json.PythonJson;

/**
 * The documents that {@code save_to_disk} of {@code datasets} writes next to Arrow files:
 * state.json lists the files in order (src/datasets/arrow_dataset.py, datasets 4.0).
 */
final class SavedFolder {
  private static final String STATE = "state.json";
  private static final String FILES = "_data_files";

  /** Releases before 2.0 stored a selection or an order of rows separately from the rows. */
  private static final String INDICES = "_indices";

  /** The folder to which SAELens writes until it has finished. */
  private static final String UNFINISHED = ".tmp_shards";

  private static final JsonLimits LIMITS = new JsonLimits(4 << 20, 400_000, 1 << 16, 100);
  private static final int MAX_SHOWN = 100;

  private SavedFolder() {}

  /**
   * Checks that the files of a folder, in the order of their names, are the dataset.
   *
   * @param isPart whether only some of the files are read
   * @throws FormatException if another order is recorded, if files are missing, or if a program has
   *     not finished writing
   */
  static void check(Location location, boolean isPart) throws IOException {
    if (location.isFile() || location.isChecked()) {
      return;
    }
    ArrowError.BAD_FOLDER.check(
        !location.listing().folders().contains(UNFINISHED),
        location.path(),
        "has the folder %s of an unfinished run of SAELens",
        UNFINISHED);
    if (!location.files().containsKey(STATE)) {
      return;
    }
    String path = location.folder().path(STATE);
    Object json = PythonJson.parse(path, LIMITS.read(location.folder(), STATE));
    if (!(json instanceof Map<?, ?> state)) {
      throw ArrowError.BAD_FOLDER.in(path, "is not an object");
    }
    for (Map.Entry<?, ?> entry : state.entrySet()) {
      ArrowError.BAD_FOLDER.check(
          !String.valueOf(entry.getKey()).startsWith(INDICES)
              || !(entry.getValue() instanceof List<?> files)
              || files.isEmpty(),
          path,
          "has rows that are selected or ordered by %s, which is not read (expected a dataset"
              + " without it: in Python,"
              + " datasets.load_from_disk(path).flatten_indices().save_to_disk(other))",
          entry.getKey());
    }
    if (!isPart && state.get(FILES) instanceof List<?> files) {
      checkFiles(location, path, files);
    }
  }

  private static void checkFiles(Location location, String path, List<?> files) throws IOException {
    List<String> listed = new ArrayList<>();
    for (Object file : files) {
      if (file instanceof Map<?, ?> map && map.get("filename") instanceof String name) {
        listed.add(name);
      }
    }
    List<String> found =
        location.files().keySet().stream()
            .filter(name -> name.endsWith(".arrow"))
            .sorted(NaturalOrder.OF_NAMES)
            .toList();
    for (int i = 0; i < Math.max(listed.size(), found.size()); i++) {
      String name = i < listed.size() ? Quote.show(listed.get(i), MAX_SHOWN) : "nothing";
      String own = i < found.size() ? found.get(i) : "nothing";
      ArrowError.BAD_FOLDER.check(
          i < listed.size() && i < found.size() && listed.get(i).equals(own),
          path,
          "lists %s as file %d, but the folder has %s in that place (expected all files, in the"
              + " order of their names; --files names the files to read)",
          name,
          i,
          own);
    }
  }
}
