package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.saevhadoop.format.dataset.ExampleIds;

/** Ids of the examples of a dataset in the key-value layout. */
public interface RowIds {
  /** Returns the ids of consecutive examples. */
  List<String> ids(long first, long count) throws IOException;

  /** Returns the maximum length of an id in a header in bytes, including escapes. */
  int longest();

  /** Returns the existing ids of a dataset. */
  static RowIds of(ExampleIds known) throws IOException {
    int longest = known.maxBytes();
    return new RowIds() {
      @Override
      public List<String> ids(long first, long count) throws IOException {
        return known.ids(first, count);
      }

      @Override
      public int longest() {
        return longest;
      }
    };
  }

  /** Returns the numbers of the examples, 0, 1, 2, ..., as ids. */
  static RowIds numbers(long examples) {
    return new RowIds() {
      @Override
      public List<String> ids(long first, long count) {
        return LongStream.range(first, first + count).mapToObj(Long::toString).toList();
      }

      @Override
      public int longest() {
        return Long.toString(Math.max(0, examples - 1)).length();
      }
    };
  }
}
