package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samples.Sidecar;

/** The files that belong to a dataset. */
public final class DatasetFiles {
  private DatasetFiles() {}

  /** Returns the lengths of all files of the folder, or of the one file and its sidecar. */
  public static SortedMap<String, Long> of(Location dataset) throws IOException {
    SortedMap<String, Long> files = new TreeMap<>(dataset.files());
    if (dataset.isFile()) {
      String sidecar = Sidecar.name(dataset.file());
      Long length = dataset.folder().files().get(sidecar);
      if (length != null) {
        files.put(sidecar, length);
      }
    }
    return files;
  }

  /** Returns the path that precedes the names of the files, seen from beside the dataset. */
  public static String prefix(Location dataset) {
    return dataset.isFile() ? "" : dataset.folder().name() + "/";
  }
}
