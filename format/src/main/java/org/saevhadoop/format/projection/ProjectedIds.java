package org.saevhadoop.format.projection;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.IndexRange;

/**
 * Identifiers of a subset of the examples.
 *
 * @param source the identifiers of all examples
 * @param ranges the selected examples, which are renumbered from 0
 */
record ProjectedIds(ExampleIds source, List<IndexRange> ranges) implements ExampleIds {
  @Override
  public List<String> ids(long first, long count) throws IOException {
    List<String> ids = new ArrayList<>();
    long begin = 0;
    for (IndexRange range : ranges) {
      long from = Math.max(first, begin);
      long to = Math.min(first + count, begin + range.length());
      if (from < to) {
        ids.addAll(source.ids(range.start() + from - begin, to - from));
      }
      begin += range.length();
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
    boolean isPrefix = ranges.size() == 1 && ranges.get(0).start() == 0;
    return isPrefix && source.areNumbers();
  }
}
