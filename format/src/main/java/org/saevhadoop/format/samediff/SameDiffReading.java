package org.saevhadoop.format.samediff;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.arrays.ArrayChoice;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samediff.container.ContainerFolder;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.samediff.dataset.SameDiffArrays;
import org.saevhadoop.format.samediff.dataset.SameDiffOptions;
import org.saevhadoop.format.samediff.dataset.SameDiffTable;
import org.saevhadoop.format.settings.Settings;

/**
 * Opens containers: those in the layout of this project as a table of examples, all others as
 * arrays.
 *
 * @param settings how arrays are interpreted
 * @param provenance the reader for documents in other formats
 */
record SameDiffReading(Settings settings, ProvenanceReader provenance) {
  TableDataset open(Location location) throws IOException {
    if (isFolderOfArrays(location)) {
      return folder(location);
    }
    SameDiffContainer container = SameDiffContainer.read(location);
    container.requireStored();
    return open(location, container);
  }

  /** Opens the arrays in the containers of a folder; each container appears as one file. */
  ArrayDataset folder(Location location) throws IOException {
    return arrays(Location.of(new ContainerFolder(location.folder())));
  }

  /** Opens a container whose descriptions have already been read. */
  TableDataset open(Location location, SameDiffContainer container) throws IOException {
    String file = location.isFile() ? location.file() : container.parts().get(0).file();
    if (!isArrays(file, container)) {
      SameDiffTable table =
          SameDiffTable.of(
              container, new SameDiffOptions(ArrayKeys.mappings(settings), provenance));
      return settings.isSet(ArrayKeys.TENSORS) ? table.requireActivations() : table.asActivations();
    }
    try {
      return arrays(ContainerFolder.locate(location.folder(), file, container));
    } catch (FormatException e) {
      if (e.kind() != ArrayError.AMBIGUOUS || settings.isSet(ArrayKeys.TENSORS)) {
        throw e;
      }
      // these are the variables of a model: the container is valid nevertheless
      throw DatasetError.NO_ACTIVATIONS
          .in(e.path(), "%s (expected %s)", e.problem(), e.expected())
          .causedBy(e);
    }
  }

  private ArrayDataset arrays(Location location) throws IOException {
    return ArrayKeys.open(location, new SameDiffArrays(false), settings);
  }

  /**
   * Returns whether a location is a folder of several containers, or a folder whose files are named
   * in the settings.
   */
  boolean isFolderOfArrays(Location location) throws IOException {
    if (location.isFile() || settings.isSet(ArrayKeys.FILES)) {
      return !location.isFile();
    }
    List<String> containers =
        location.files().keySet().stream()
            .filter(file -> ArrayFiles.isData(file) && ContainerFolder.isContainer(file))
            .toList();
    return containers.size() > 1
        && !SameDiffTable.isOwn(ContainerFolder.read(location.folder(), containers.get(0)));
  }

  private boolean isArrays(String file, SameDiffContainer container) throws IOException {
    if (ArrayKeys.isLayout(settings)) {
      return true;
    }
    if (SameDiffTable.isOwn(container)) {
      return false;
    }
    ArrayFile content = SameDiffArrays.of(container);
    return settings.isSet(ArrayKeys.TENSORS)
        || ArrayChoice.isDecided(file, content)
        || ArrayChoice.areSeveral(content) && !isTable(container);
  }

  private static boolean isTable(SameDiffContainer container) {
    try {
      SameDiffTable.of(container, SameDiffOptions.NONE);
      return true;
    } catch (FormatException e) {
      return false;
    }
  }
}
