package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.Optional;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.index.ModelIndex;

/** A model whose tensors are stored in files that an index lists. */
record SafetensorsModel(Folder folder, ModelIndex index) {
  /**
   * Returns the model at a location, which is a folder with an index or the index file; empty for
   * anything else, including datasets.
   */
  static Optional<SafetensorsModel> find(Location location) throws IOException {
    if (location.isFile()) {
      return location.file().endsWith(ModelIndex.SUFFIX)
          ? Optional.of(read(location.folder(), location.file()))
          : Optional.empty();
    }
    if (location.files().containsKey(SafetensorsTable.MANIFEST)) {
      return Optional.empty();
    }
    Optional<String> name = ModelIndex.find(location.folder());
    return name.isPresent() ? Optional.of(read(location.folder(), name.get())) : Optional.empty();
  }

  private static SafetensorsModel read(Folder folder, String name) throws IOException {
    return new SafetensorsModel(folder, ModelIndex.read(folder, name));
  }
}
