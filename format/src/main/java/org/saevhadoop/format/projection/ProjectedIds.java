package org.saevhadoop.format.projection;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.IndexRanges;

/**
 * Identifiers of a subset of the examples.
 *
 * @param ranges the selected examples, which are renumbered from 0
 */
record ProjectedIds(ExampleIds source, IndexRanges ranges) implements ExampleIds {
  @Override
  public List<String> ids(long first, long count) throws IOException {
    List<String> ids = new ArrayList<>();
    for (IndexRange range : ranges.slice(first, count)) {
      ids.addAll(source.ids(range.start(), range.length()));
    }
    return ids;
  }

  @Override
  public int maxBytes() throws IOException {
    return source.maxBytes();
  }

  /**
   * Returns true only if the examples are a prefix of the source in order; otherwise their numbers
   * differ.
   */
  @Override
  public boolean areNumbers() throws IOException {
    boolean begins = ranges.list().size() == 1 && ranges.list().get(0).start() == 0;
    return begins && source.areNumbers();
  }
}
