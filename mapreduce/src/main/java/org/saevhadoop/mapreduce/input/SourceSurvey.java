package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import org.saevhadoop.format.combined.SourceFacts;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Io;

/**
 * A dataset that was opened to be combined with others.
 *
 * @param opener returns the open dataset; if there are many datasets, opens it again
 */
public record SourceSurvey(SourceFacts facts, Io.Supplier<TableDataset> opener) {
  /** The number of datasets up to which all of them stay open. */
  private static final int MAX_OPEN = 16;

  /**
   * Opened datasets by index.
   *
   * @param failures the reasons why the other datasets cannot be opened
   */
  public record Opened(
      SortedMap<Integer, SourceSurvey> surveys, SortedMap<Integer, FormatException> failures) {
    /**
     * Returns all datasets.
     *
     * @throws FormatException if a dataset cannot be opened
     */
    List<SourceSurvey> all() throws FormatException {
      for (FormatException failure : failures.values()) {
        throw failure;
      }
      return List.copyOf(surveys.values());
    }
  }

  /** Opens datasets in parallel, and returns the facts about each. */
  public static Opened of(List<Io.Supplier<TableDataset>> openers) throws IOException {
    SortedMap<Integer, SourceSurvey> found = new ConcurrentSkipListMap<>();
    SortedMap<Integer, FormatException> failures = new ConcurrentSkipListMap<>();
    List<Callable<Void>> requests = new ArrayList<>();
    for (int i = 0; i < openers.size(); i++) {
      int index = i;
      Io.Supplier<TableDataset> opener = openers.get(i);
      requests.add(
          () -> {
            try {
              TableDataset dataset = opener.get();
              Io.Supplier<TableDataset> again = openers.size() <= MAX_OPEN ? () -> dataset : opener;
              found.put(index, new SourceSurvey(SourceFacts.of(dataset), again));
            } catch (FormatException e) {
              failures.put(index, e);
            }
            return null;
          });
    }
    try (ParallelRequests threads = new ParallelRequests()) {
      threads.run(requests);
    }
    return new Opened(found, failures);
  }
}
