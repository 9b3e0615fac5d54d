package org.saevhadoop.format.entries;

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
 * The document that describes a folder of staged entries.
 *
 * @param source the path of the dataset folder
 * @param file the name of the file that is the dataset; null if the folder is the dataset
 * @param settings the settings of the format, by key name
 * @param parts the paths of the files in each part, relative to the dataset folder
 */
public record EntryDocument(
    String source, @Nullable String file, Map<String, String> settings, List<List<String>> parts) {
  private static final String NAME = "_entries.json";

  public EntryDocument {
    settings = Map.copyOf(settings);
    parts = List.copyOf(parts);
  }

  /** Describes a dataset whose parts are all staged. */
  public static EntryDocument of(Location source, Settings settings, List<Part> parts) {
    return new EntryDocument(
        Storage.uri(source.folder()),
        source.isFile() ? source.file() : null,
        settings.texts(),
        parts.stream().map(Part::files).toList());
  }

  /** Writes this document to the folder of the staged entries. */
  public void write(Folder staged) throws IOException {
    Jackson.write(staged, NAME, this);
  }

  /** Reads the document of a folder. */
  public static EntryDocument read(Folder staged) throws IOException {
    return Jackson.read(staged, NAME, EntryDocument.class);
  }

  /** Returns the location of the dataset, whose files are read from the staged entries. */
  public <E> Location open(Folder staged, Storage storage, EntryContent<E> content)
      throws IOException {
    return location(EntryFolder.of(storage.locate(source).folder(), staged, parts, content));
  }

  /** Returns the location of the stored dataset. */
  public Location location(Storage storage) throws IOException {
    return location(storage.locate(source).folder());
  }

  private Location location(Folder folder) {
    return file == null ? Location.of(folder) : Location.of(folder, file);
  }
}
