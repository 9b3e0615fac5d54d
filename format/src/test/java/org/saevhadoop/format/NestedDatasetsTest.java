package org.saevhadoop.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/** The search for datasets is short, whatever there is. */
class NestedDatasetsTest {
  private static final String DATASET = "dataset_manifest.json";

  private final AtomicInteger listings = new AtomicInteger();

  /**
   * A folder of a tree in which each has the same number of folders.
   *
   * @param dataset the path of the dataset in it
   */
  private record Tree(String path, int width, String dataset, AtomicInteger listings)
      implements Folder {
    @Override
    public SortedMap<String, Long> files() throws IOException {
      listings.incrementAndGet();
      refuseUnreadable();
      return new TreeMap<>(path.equals(dataset) ? Map.of(DATASET, 1L) : Map.of());
    }

    @Override
    public SortedSet<String> folders() throws IOException {
      listings.incrementAndGet();
      refuseUnreadable();
      SortedSet<String> names = new TreeSet<>();
      for (int i = 0; i < width; i++) {
        names.add("d%04d".formatted(i));
      }
      names.add("_tmp");
      names.add(".hidden");
      return names;
    }

    private void refuseUnreadable() throws IOException {
      if (path.endsWith("/d0000")) {
        throw new IOException("permission denied");
      }
    }

    @Override
    public Optional<Folder> folder(String name) {
      boolean there = name.startsWith("d") || name.startsWith("_") || name.startsWith(".");
      return there
          ? Optional.of(new Tree(path + "/" + name, width, dataset, listings))
          : Optional.empty();
    }

    @Override
    public Input open(String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Output create(String name) {
      throw new UnsupportedOperationException();
    }
  }

  private NestedDatasets search(int width, String dataset) throws IOException {
    Tree root = new Tree("r", width, dataset, listings);
    return NestedDatasets.in(root, DatasetFormats.registry(), null);
  }

  @ParameterizedTest
  @CsvSource({"r/d0001, true", "r/d0001/d0002, true", "r/d0001/d0002/d0003, false"})
  void twoLevelsAreSearched(String dataset, boolean found) throws IOException {
    NestedDatasets search = search(5, dataset);
    assertThat(search.paths()).isEqualTo(found ? List.of(dataset) : List.of());
    assertThat(search.isIncomplete()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"r/_tmp", "r/.hidden/d0001", "r/d0001/_tmp"})
  void hiddenAndTemporaryFoldersAreSkipped(String dataset) throws IOException {
    assertThat(search(5, dataset).paths()).isEmpty();
  }

  @Test
  void eachFolderIsListedOnce() throws IOException {
    assertThat(search(5, "nowhere").paths()).isEmpty();
    int oneLevel = 5;
    int twoLevels = 25 - 5; // those below the unreadable one are not found
    assertThat(listings).hasValue(1 + 2 * oneLevel + twoLevels);
  }

  @Test
  void aSearchThatEndsEarlyKnowsNoOnlyDataset() throws IOException {
    NestedDatasets search = search(200, "r/d0001");
    assertThat(listings.get()).isBetween(5_000, SearchedFolder.Limit.MAX_LISTINGS);
    assertThat(search.isIncomplete()).isTrue();
    assertThat(search.problem()).isEqualTo("contains datasets, at least 1, but is not one itself");
  }
}
