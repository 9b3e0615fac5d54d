package org.saevhadoop.format.parquet.file;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Byte range of a file.
 *
 * @param start the offset of the first byte
 * @param length the number of bytes
 */
public record FileRange(long start, long length) {
  /** Returns whether the range is empty. */
  public boolean isEmpty() {
    return length == 0;
  }

  /** Returns the offset after the last byte. */
  public long end() {
    return start + length;
  }

  /** Checks that ranges do not overlap: otherwise a small file could claim any number of rows. */
  public static void requireDisjoint(Collection<FileRange> of) {
    List<FileRange> ranges = new ArrayList<>(of);
    ranges.removeIf(FileRange::isEmpty);
    ranges.sort(Comparator.comparingLong(FileRange::start));
    for (int i = 1; i < ranges.size(); i++) {
      ThriftStruct.require(
          ranges.get(i).start() >= ranges.get(i - 1).end(), "columns overlap in the file");
    }
  }
}
