package org.saevhadoop.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.FormatEvidence;

/**
 * Searches a folder that is not a dataset for the datasets in it: two levels of folders, and in
 * each of them the {@linkplain org.saevhadoop.format.spi.DatasetFormat#standardFolder standard
 * folder} of each format, as {@code shuffle} writes {@code <layer>/<part>/saev/shards/<hash>}.
 */
@Internal
public final class NestedDatasets {
  private static final int LEVELS = 2;
  private static final Optional<SearchedFolder> NONE = Optional.empty();

  private final DatasetFormats formats;
  private final @Nullable DatasetFormat asked;
  private final SearchedFolder.Limit limit = new SearchedFolder.Limit();
  private final Set<String> found = new TreeSet<>();

  private NestedDatasets(DatasetFormats formats, @Nullable DatasetFormat asked) {
    this.formats = formats;
    this.asked = asked;
  }

  /**
   * Searches a folder.
   *
   * @param asked the format of the datasets; null for any
   */
  public static NestedDatasets in(
      Folder folder, DatasetFormats formats, @Nullable DatasetFormat asked) throws IOException {
    NestedDatasets search = new NestedDatasets(formats, asked);
    search.run(folder);
    return search;
  }

  /** Returns the paths of the datasets that were found, sorted. */
  public List<String> paths() {
    return List.copyOf(found);
  }

  /** Returns whether the search ended before all folders were listed. */
  public boolean isIncomplete() {
    return limit.isReached();
  }

  /** Returns a phrase that states the number of datasets. */
  public String problem() {
    int count = found.size();
    String datasets =
        isIncomplete()
            ? "datasets, at least " + count
            : count == 1 ? "a dataset" : count + " datasets";
    return "contains " + datasets + ", but is not one itself";
  }

  private void run(Folder root) throws IOException {
    List<SearchedFolder> parents = List.of(new SearchedFolder(root, LEVELS, limit));
    for (int level = 0; level <= LEVELS; level++) {
      List<SearchedFolder> others = new ArrayList<>();
      for (SearchedFolder parent : parents) {
        searchStandard(parent);
        others.addAll(search(parent));
      }
      parents = others;
    }
  }

  private void searchStandard(SearchedFolder parent) throws IOException {
    for (DatasetFormat entry : formats.all()) {
      Optional<String> path = entry.standardFolder();
      Optional<SearchedFolder> standard = path.isPresent() ? parent.at(path.get()) : NONE;
      if (standard.isPresent()) {
        search(standard.get());
      }
    }
  }

  /** Finds the datasets among the subfolders of a folder, and returns the other subfolders. */
  private List<SearchedFolder> search(SearchedFolder parent) throws IOException {
    List<SearchedFolder> others = new ArrayList<>();
    for (String name : parent.folders()) {
      if (limit.isReached()) {
        break;
      }
      Optional<Folder> below = parent.folder(name);
      if (below.isPresent() && isDataset(Location.of(below.get()))) {
        found.add(below.get().path());
      } else if (below.isPresent()) {
        others.add((SearchedFolder) below.get());
      }
    }
    return others;
  }

  private boolean isDataset(Location location) {
    try {
      return asked == null
          ? formats.find(location).isPresent()
          : asked.detect(location) != FormatEvidence.NONE;
    } catch (IOException e) {
      return false; // another user's document
    }
  }
}
