package org.saevhadoop.jobs.source;

import java.util.List;
import java.util.Optional;
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
   * @param paths the paths of the datasets, at least one
   * @param incomplete whether the search ended before all folders were listed
   */
  NestedDatasetsException(String typed, String path, List<String> paths, boolean incomplete) {
    super(
        DatasetError.UNKNOWN_FORMAT,
        path,
        null,
        problem(paths.size(), incomplete),
        paths.size() == 1 ? paths.get(0) : "one of them",
        null);
    this.typed = typed;
    this.paths = List.copyOf(paths);
    this.incomplete = incomplete;
  }

  private static String problem(int count, boolean incomplete) {
    String datasets =
        incomplete ? "datasets, at least " + count : count == 1 ? "a dataset" : count + " datasets";
    return "contains " + datasets + ", but is not one itself";
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
