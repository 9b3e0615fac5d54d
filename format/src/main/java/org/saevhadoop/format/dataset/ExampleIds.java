package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.saevhadoop.format.api.PublicApi;

/** Identifiers of the examples of a dataset that does not merely number its examples. */
@PublicApi
public interface ExampleIds {
  /** Returns the identifiers of consecutive examples, in the order of the examples. */
  List<String> ids(long first, long count) throws IOException;

  /**
   * Returns the maximum size of an identifier in bytes, measured as UTF-8 JSON text without quotes.
   */
  int maxBytes() throws IOException;

  /** Returns whether every identifier equals the number of its example. */
  boolean areNumbers() throws IOException;

  /** Returns the example numbers as ids: 0, 1, 2, ... */
  static ExampleIds numbers(long examples) {
    return new ExampleIds() {
      @Override
      public List<String> ids(long first, long count) {
        return LongStream.range(first, first + count).mapToObj(Long::toString).toList();
      }

      @Override
      public int maxBytes() {
        return Long.toString(Math.max(0, examples - 1)).length();
      }

      @Override
      public boolean areNumbers() {
        return true;
      }
    };
  }
}
