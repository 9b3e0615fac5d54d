package org.saevhadoop.format.staged;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.json.Jackson;

/**
 * The document of a folder in which entries of files are staged: what they were staged from.
 *
 * @param source the path of the folder of the dataset
 * @param file the name of the file that is the dataset; null if the folder is
 * @param settings the settings of the format, by the names of their keys
 * @param parts the paths of the files of each part, relative to the folder of the dataset
 */
public record StagedSource(
    String source, @Nullable String file, Map<String, String> settings, List<List<String>> parts) {
  private static final String NAME = "_source.json";

  public StagedSource {
    settings = Map.copyOf(settings);
    parts = List.copyOf(parts);
  }

  public static StagedSource of(
      Location source, Map<String, String> settings, List<List<String>> parts) {
    return new StagedSource(
        Storage.uri(source.folder()), source.isFile() ? source.file() : null, settings, parts);
  }

  public void write(Folder staged) throws IOException {
    Jackson.write(staged, NAME, this);
  }

  public static StagedSource read(Folder staged) throws IOException {
    return Jackson.read(staged, NAME, StagedSource.class);
  }

  /**
   * Returns the dataset.
   *
   * @param reading returns the folder in which staged files are read from their entries
   */
  public Location open(Storage storage, UnaryOperator<Folder> reading) throws IOException {
    Folder folder = reading.apply(storage.locate(source).folder());
    return file == null ? Location.of(folder) : Location.of(folder, file);
  }
}
