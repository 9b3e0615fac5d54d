package org.saevhadoop.format.publish;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.FormatRegistry;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.Entry;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoragePath;

/** Determines whether a folder is a dataset and nothing else, so that it may be replaced. */
public final class ReplaceableDataset {
  /** Markers from Hadoop and from the saev project, which mark a dataset as complete. */
  private static final Set<String> MARKERS = Set.of("_SUCCESS", ".copy_complete");

  private ReplaceableDataset() {}

  /**
   * Checks that a folder contains a whole dataset and nothing else. An empty folder may be replaced
   * too.
   *
   * @return the names of the files in the folder
   * @throws FormatException if the check fails; the message names the unexpected content
   */
  public static Set<String> check(StoragePath folder, FormatRegistry formats, RunStorage storage)
      throws IOException {
    String path = folder.shown();
    FileError.NOT_REPLACEABLE.check(
        storage.kind(folder) == EntryKind.FOLDER,
        path,
        "is not a directory (expected a dataset to be replaced)");
    List<Entry> entries = storage.list(folder);
    if (entries.isEmpty()) {
      return Set.of();
    }
    Set<String> known = new HashSet<>(MARKERS);
    for (String name : datasetFiles(folder, formats)) {
      known.add(name);
      known.add(Sidecar.name(name));
    }
    for (String name : List.copyOf(known)) {
      known.add("." + name + ".crc"); // of Hadoop's local file system
    }
    Set<String> names = new HashSet<>();
    for (Entry entry : entries) {
      String name = entry.name();
      names.add(name);
      FileError.NOT_REPLACEABLE.check(
          entry.kind() != EntryKind.FOLDER && known.contains(name),
          folder.child(name).shown(),
          "does not belong to the dataset that would be replaced (expected nothing else in its"
              + " directory; move it away or choose another path)");
    }
    return names;
  }

  private static Set<String> datasetFiles(StoragePath folder, FormatRegistry formats)
      throws IOException {
    try {
      Location location = folder.locate();
      DatasetFormat format = formats.formatAt(location);
      DatasetError.UNSUPPORTED.check(
          format.writing().isPresent(),
          location.path(),
          "has the format %s, which can only be read",
          format.name());
      return format.writing().get().datasetFiles(location);
    } catch (FormatException e) {
      throw FileError.NOT_REPLACEABLE
          .in(
              folder.shown(),
              "is not a complete dataset, so it is not replaced (expected a complete one; move it"
                  + " away or choose another path): %s",
              e.getMessage())
          .causedBy(e);
    }
  }
}
