package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.dataset.TableDataset;

/** The most recently used sources of a combined dataset. Thread-safe. */
final class OpenSources {
  private static final int MAX_OPEN = 16;

  private final List<CombinedSource> sources;
  private final Map<Integer, TableDataset> open = new LinkedHashMap<>(16, 0.75f, true);

  OpenSources(List<CombinedSource> sources) {
    this.sources = sources;
  }

  SourceFacts facts(int source) {
    return sources.get(source).facts();
  }

  String path(int source) {
    return sources.get(source).path();
  }

  /**
   * Returns a dataset.
   *
   * @throws org.saevhadoop.format.io.FormatException if the dataset cannot be opened or has changed
   */
  synchronized TableDataset get(int source) throws IOException {
    TableDataset known = open.get(source);
    if (known == null) {
      known = sources.get(source).opener().get();
      CombinationError.CHANGED.check(
          facts(source).isOf(known),
          path(source),
          "has changed in the meantime: it has %d examples in %d files (expected %d in %d files, as"
              + " before)",
          known.table().examples(),
          known.shards().size(),
          facts(source).table().examples(),
          facts(source).shards().size());
      open.put(source, known);
      if (open.size() > MAX_OPEN) {
        open.remove(open.keySet().iterator().next());
      }
    }
    return known;
  }
}
