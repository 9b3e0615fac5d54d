package org.saevhadoop.format.numpy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.numpy.file.StoredArchives;
import org.saevhadoop.format.settings.Settings;

/**
 * The document of a folder in which .npz files were staged.
 *
 * @param source the path of the folder of the dataset
 * @param file the name of the file that is the dataset; null if the folder is
 * @param settings the settings of the format, by the names of their keys
 * @param copies the names of the staged files, by the paths of the .npz files in the dataset
 */
record StagedArchives(
    String source,
    @Nullable String file,
    Map<String, String> settings,
    Map<String, String> copies) {
  private static final String DOCUMENT = "_archives.json";

  StagedArchives {
    settings = Map.copyOf(settings);
    copies = Map.copyOf(copies);
  }

  static StagedArchives of(Location source, Settings settings, Map<String, String> copies) {
    String file = source.isFile() ? source.file() : null;
    return new StagedArchives(Storage.uri(source.folder()), file, settings.texts(), copies);
  }

  void write(Folder staged) throws IOException {
    try (Output document = staged.create(DOCUMENT)) {
      document.write(ByteBuffer.wrap(Jackson.MAPPER.writeValueAsBytes(this)));
    }
  }

  static StagedArchives read(Folder staged) throws IOException {
    byte[] document = staged.readSmall(DOCUMENT, Integer.MAX_VALUE);
    try {
      return Jackson.MAPPER.readValue(document, StagedArchives.class);
    } catch (JsonProcessingException e) {
      throw FileError.DAMAGED
          .in(staged.path(DOCUMENT), "is not a list of files (expected JSON of this program)")
          .causedBy(e);
    }
  }

  /** Returns the dataset, whose .npz files are read from their copies. */
  Location open(Folder staged, Storage storage) throws IOException {
    Folder folder = new StoredArchives(storage.locate(source).folder(), staged, copies);
    return file == null ? Location.of(folder) : Location.of(folder, file);
  }
}
