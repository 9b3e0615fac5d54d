package org.saevhadoop.format.publish;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.FormatRegistry;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.storage.UnfinishedMarker;

/**
 * The mark that the dataset of a run is complete: the file {@code complete} in the run's folder. It
 * lists the files of the dataset, so that a dataset that is damaged before publication is not
 * published.
 *
 * @param files the lengths of the files in bytes, by name
 * @param workFiles the names of the files that tasks wrote as input for the dataset's documents and
 *     that are deleted afterwards
 */
public record CompleteMark(Map<String, Long> files, List<String> workFiles) {
  private static final TypeReference<CompleteMark> TYPE = new TypeReference<>() {};

  public CompleteMark {
    files = Map.copyOf(files);
    workFiles = List.copyOf(workFiles);
  }

  /**
   * Records that a dataset is complete.
   *
   * @param folder the folder of the run
   * @param workFiles the names of files in the dataset's folder that do not belong to the dataset
   */
  public static void write(
      StoragePath folder, StoragePath dataset, List<String> workFiles, RunStorage storage)
      throws IOException {
    storage.force(dataset);
    SortedMap<String, Long> files = new TreeMap<>(dataset.folder().files());
    workFiles.forEach(files::remove);
    files.remove(UnfinishedMarker.NAME);
    storage.write(
        RunPaths.complete(folder),
        Jackson.MAPPER.writeValueAsBytes(new CompleteMark(files, workFiles)));
  }

  /**
   * Checks that a dataset has not changed since it was completed and that it can be opened. Work
   * files that are left in the dataset's folder are deleted.
   *
   * @param folder the folder of the run; a mark written by another program version may list no
   *     files
   * @throws FormatException if a file is missing or has another length, or if the dataset cannot be
   *     opened
   */
  static void check(
      StoragePath folder, StoragePath dataset, FormatRegistry formats, RunStorage storage)
      throws IOException {
    StoragePath mark = RunPaths.complete(folder);
    boolean isWritten = storage.kind(mark) == EntryKind.FILE;
    if (isWritten && storage.read(mark, RunStorage.FILES.bytes()).length > 0) {
      storage.readFiles(mark, TYPE).compare(dataset, storage);
    }
    try {
      Location location = dataset.locateChecked();
      DatasetFormat format = formats.formatAt(location);
      Optional<StreamAccess> stream = format.stream(location, Settings.NONE);
      if (stream.isPresent()) {
        stream.get().provenance(location, Settings.NONE);
      } else {
        format.open(location, Settings.NONE, formats);
      }
    } catch (FormatException e) {
      throw FileError.DAMAGED
          .in(dataset.shown(), "is not published because it cannot be opened: %s", e.getMessage())
          .causedBy(e);
    }
  }

  private void compare(StoragePath dataset, RunStorage storage) throws IOException {
    SortedMap<String, Long> found = new TreeMap<>(dataset.folder().files());
    for (Map.Entry<String, Long> file : files.entrySet()) {
      Long length = found.remove(file.getKey());
      FileError.DAMAGED.check(
          file.getValue().equals(length),
          dataset.child(file.getKey()).shown(),
          "%s since the dataset was completed (expected %d bytes; a run without --resume writes the"
              + " dataset again)",
          length == null ? "was removed" : "was changed to " + length + " bytes",
          file.getValue());
    }
    for (String name : workFiles) {
      if (found.remove(name) != null) {
        storage.delete(dataset.child(name));
      }
    }
  }
}
