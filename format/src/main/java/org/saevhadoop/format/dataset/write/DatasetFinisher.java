package org.saevhadoop.format.dataset.write;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.io.Folder;

/** Ends a dataset whose data files are all written. */
public interface DatasetFinisher {
  /**
   * Returns the documents that make a folder of data files a dataset, in the order in which they
   * must appear: a reader looks for the last one.
   *
   * @param written where the data files are
   */
  List<Document> documents(Folder written) throws IOException;

  /**
   * Returns the names of files that tasks leave beside the data files for {@link #documents}; they
   * are deleted in the end.
   */
  default List<String> workFiles() {
    return List.of();
  }
}
