package org.saevhadoop.format.inflated;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.StreamAccess.Part;

/**
 * The document of a folder of inflated entries.
 *
 * @param source the path of the folder of the dataset
 * @param file the name of the file that is the dataset; null if the folder is
 * @param settings the settings of the format, by the names of their keys
 * @param parts the paths of the archives of each part, relative to the folder of the dataset
 */
record InflatedDocument(
    String source, @Nullable String file, Map<String, String> settings, List<List<String>> parts) {
  private static final String NAME = "_archives.json";

  InflatedDocument {
    settings = Map.copyOf(settings);
    parts = List.copyOf(parts);
  }

  static InflatedDocument of(Location source, Settings settings, List<Part> parts) {
    return new InflatedDocument(
        Storage.uri(source.folder()),
        source.isFile() ? source.file() : null,
        settings.texts(),
        parts.stream().map(Part::files).toList());
  }

  void write(Folder staged) throws IOException {
    Jackson.write(staged, NAME, this);
  }

  static InflatedDocument read(Folder staged) throws IOException {
    return Jackson.read(staged, NAME, InflatedDocument.class);
  }

  /** Returns the dataset, whose compressed archives are read from inflated entries. */
  Location open(Folder staged, Storage storage) throws IOException {
    Folder folder = InflatedFolder.of(storage.locate(source).folder(), staged, parts);
    return file == null ? Location.of(folder) : Location.of(folder, file);
  }
}
