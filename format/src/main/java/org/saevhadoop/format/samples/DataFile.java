package org.saevhadoop.format.samples;

import java.util.Arrays;

/**
 * A data file, as its sidecar sees it.
 *
 * @param name its file name
 * @param first the dataset's number of the first of its examples that count
 * @param examples how many examples it holds
 * @param dropped places in the file of those that do not count, ascending
 */
public record DataFile(String name, long first, long examples, long[] dropped) {
  private static final long[] NONE = {};

  /** A file whose examples all count. */
  public DataFile(String name, long first, long examples) {
    this(name, first, examples, NONE);
  }

  /** The dataset's number after the last of its examples. */
  long end() {
    return first + examples - dropped.length;
  }

  /** The dataset's number of the example at a place that counts. */
  long number(long place) {
    return first + place - firstDropped(place);
  }

  /** Of a line's examples the first that count, up to one that does not; null where none counts. */
  ExampleMetadata kept(ExampleMetadata line) {
    int i = firstDropped(line.first());
    long from = line.first();
    while (i < dropped.length && dropped[i] == from) {
      i++;
      from++;
    }
    return line.part(from, i < dropped.length ? dropped[i] : line.end());
  }

  /** How many that do not count are before a place. */
  private int firstDropped(long place) {
    int found = Arrays.binarySearch(dropped, place);
    return found < 0 ? -found - 1 : found;
  }
}
