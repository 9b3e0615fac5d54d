package org.saevhadoop.format.samples;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A data file from the perspective of its sidecar.
 *
 * @param first the number, in the dataset, of the first example that is not dropped
 * @param examples the number of examples in the file
 * @param dropped the indexes of the dropped examples in the file, in ascending order
 */
public record DataFile(String name, long first, long examples, long[] dropped) {
  private static final long[] NONE = {};

  /** Creates a file without dropped examples. */
  public DataFile(String name, long first, long examples) {
    this(name, first, examples, NONE);
  }

  /** Returns the exclusive end of the range of example numbers in the dataset. */
  long end() {
    return first + examples - dropped.length;
  }

  /**
   * Returns the number, in the dataset, of the example at an index; the example must not be
   * dropped.
   */
  long number(long position) {
    return first + position - firstDropped(position);
  }

  /**
   * Returns the metadata of the first run of consecutive examples of a line that are not dropped,
   * or null if all are dropped.
   */
  @Nullable ExampleMetadata kept(ExampleMetadata line) {
    int i = firstDropped(line.first());
    long from = line.first();
    while (i < dropped.length && dropped[i] == from) {
      i++;
      from++;
    }
    return line.part(from, i < dropped.length ? dropped[i] : line.end());
  }

  /** Returns the number of dropped examples before an index. */
  private int firstDropped(long position) {
    int found = Arrays.binarySearch(dropped, position);
    return found < 0 ? -found - 1 : found;
  }
}
