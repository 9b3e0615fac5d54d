package org.saevhadoop.format.dataset.write;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.io.Folder;

/** Completes a dataset after all of its data files are written. */
public interface DatasetFinisher {
  /**
   * Returns the documents that turn a folder of data files into a dataset, in the order in which
   * they must be written; readers detect a dataset by the last document.
   */
  List<Document> documents(Folder written) throws IOException;

  /**
   * Returns the names of the files that tasks write next to the data files for {@link #documents};
   * these files are deleted at the end.
   */
  default List<String> workFiles() {
    return List.of();
  }
}
