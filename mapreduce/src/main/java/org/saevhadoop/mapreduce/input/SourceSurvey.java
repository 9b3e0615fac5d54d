package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.saevhadoop.format.combined.CombinedSource.Opener;
import org.saevhadoop.format.combined.SourceFacts;
import org.saevhadoop.format.dataset.TableDataset;

/**
 * A dataset that was opened to be combined with others.
 *
 * @param opener returns the dataset, which is opened again if there are many
 */
public record SourceSurvey(SourceFacts facts, Opener opener) {
  /** The number of datasets up to which all stay open. */
  private static final int MAX_OPEN = 16;

  /** Opens datasets, several at once, and returns what must be known of each. */
  public static List<SourceSurvey> of(List<Opener> openers) throws IOException {
    List<SourceSurvey> found = new ArrayList<>(Collections.nCopies(openers.size(), null));
    List<Callable<Void>> requests = new ArrayList<>();
    for (int i = 0; i < openers.size(); i++) {
      int index = i;
      Opener opener = openers.get(i);
      requests.add(
          () -> {
            TableDataset dataset = opener.open();
            Opener again = openers.size() <= MAX_OPEN ? () -> dataset : opener;
            found.set(index, new SourceSurvey(SourceFacts.of(dataset), again));
            return null;
          });
    }
    try (ParallelRequests threads = new ParallelRequests()) {
      threads.run(requests);
    }
    return found;
  }
}
