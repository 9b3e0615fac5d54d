package org.saevhadoop.format.dataset;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.saevhadoop.format.io.AscendingSearch;

/**
 * Selected indexes, as ranges in the order of selection; the selected indexes are numbered from 0.
 */
public final class IndexRanges {
  private final List<IndexRange> ranges;

  /** Number of the first index of each range; the last element is the total number of indexes. */
  private final long[] begins;

  public IndexRanges(List<IndexRange> ranges) {
    this.ranges = List.copyOf(ranges);
    this.begins = new long[ranges.size() + 1];
    for (int i = 0; i < ranges.size(); i++) {
      begins[i + 1] = begins[i] + ranges.get(i).length();
    }
  }

  public List<IndexRange> list() {
    return ranges;
  }

  public long length() {
    return begins[ranges.size()];
  }

  /** Returns the selected index with the given number. */
  public long index(long number) {
    Objects.checkIndex(number, length());
    int range = AscendingSearch.lastAtMost(ranges.size(), i -> begins[i], number);
    return ranges.get(range).start() + number - begins[range];
  }

  /** Returns {@code count} selected indexes, starting with number {@code first}. */
  public List<IndexRange> slice(long first, long count) {
    List<IndexRange> slice = new ArrayList<>();
    long end = first > Long.MAX_VALUE - count ? Long.MAX_VALUE : first + count;
    int range = Math.max(0, AscendingSearch.lastAtMost(ranges.size(), i -> begins[i], first));
    for (; range < ranges.size() && begins[range] < end; range++) {
      long from = Math.max(first, begins[range]);
      long to = Math.min(end, begins[range + 1]);
      if (from < to) {
        long shift = ranges.get(range).start() - begins[range];
        slice.add(new IndexRange(from + shift, to + shift));
      }
    }
    return slice;
  }

  /** Merges adjacent ranges. */
  public static List<IndexRange> merged(List<IndexRange> ranges) {
    List<IndexRange> merged = new ArrayList<>();
    for (IndexRange range : ranges) {
      int last = merged.size() - 1;
      if (last >= 0 && merged.get(last).stop() == range.start()) {
        merged.set(last, new IndexRange(merged.get(last).start(), range.stop()));
      } else {
        merged.add(range);
      }
    }
    return List.copyOf(merged);
  }

  /** Returns whether each range begins at or after the end of the previous range. */
  public static boolean ascend(List<IndexRange> ranges) {
    for (int i = 1; i < ranges.size(); i++) {
      if (ranges.get(i).start() < ranges.get(i - 1).stop()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Checks that no index is in two ranges.
   *
   * @throws IllegalArgumentException if two ranges overlap
   */
  public static void checkDisjoint(List<IndexRange> ranges) {
    List<IndexRange> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingLong(IndexRange::start));
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).start() < sorted.get(i - 1).stop()) {
        throw new IllegalArgumentException(
            shown(sorted.get(i - 1)) + " and " + shown(sorted.get(i)) + " overlap");
      }
    }
  }

  private static String shown(IndexRange range) {
    return range.length() == 1 ? "" + range.start() : range.toString();
  }
}
