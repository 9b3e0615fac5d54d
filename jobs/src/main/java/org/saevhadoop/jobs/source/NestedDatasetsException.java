package org.saevhadoop.jobs.source;

import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.NestedDatasets;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;

/** The path of a source denotes a folder that is not a dataset, but contains datasets. */
public final class NestedDatasetsException extends FormatException {
  private static final long serialVersionUID = 1L;

  private final String typed;
  private final transient List<String> paths;
  private final boolean incomplete;

  /**
   * @param typed the path as the user has written it
   * @param path the path of the folder
   * @param found the datasets, at least one
   */
  NestedDatasetsException(String typed, String path, NestedDatasets found) {
    super(
        DatasetError.UNKNOWN_FORMAT,
        path,
        null,
        found.problem(),
        found.paths().size() == 1 ? found.paths().get(0) : "one of them",
        null);
    this.typed = typed;
    this.paths = found.paths();
    this.incomplete = found.isIncomplete();
  }

  /** Returns the path of the folder as the user has written it. */
  public String typed() {
    return typed;
  }

  /** Returns the paths of the datasets that were found, sorted. */
  public List<String> paths() {
    return paths;
  }

  /** Returns the path of the only dataset; empty if there may be others. */
  Optional<String> only() {
    return paths.size() == 1 && !incomplete ? Optional.of(paths.get(0)) : Optional.empty();
  }
}
