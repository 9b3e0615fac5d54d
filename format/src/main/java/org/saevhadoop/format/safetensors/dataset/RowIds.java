package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.saevhadoop.format.dataset.ExampleIds;

/** What the examples of a dataset in the key-value layout are called. */
public interface RowIds {
  /** Ids of consecutive examples. */
  List<String> ids(long first, long count) throws IOException;

  /** The most bytes that an id has in a header, escapes included. */
  int longest();

  /** Returns ids that a dataset has. */
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

  /** The examples' numbers, 0, 1, 2 ... */
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
