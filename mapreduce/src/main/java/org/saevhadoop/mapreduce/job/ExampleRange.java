package org.saevhadoop.mapreduce.job;

import java.util.ArrayList;
import java.util.List;

/** The examples {@code [first, first + count)}. */
public record ExampleRange(long first, long count) {
  /** Returns the intersection of two ascending lists of ranges. */
  public static List<ExampleRange> restrict(List<ExampleRange> ranges, List<ExampleRange> others) {
    List<ExampleRange> common = new ArrayList<>();
    int begin = 0;
    for (ExampleRange range : ranges) {
      while (begin < others.size() && others.get(begin).end() <= range.first) {
        begin++;
      }
      for (int i = begin; i < others.size() && others.get(i).first < range.end(); i++) {
        long first = Math.max(range.first, others.get(i).first);
        common.add(new ExampleRange(first, Math.min(range.end(), others.get(i).end()) - first));
      }
    }
    return common;
  }

  private long end() {
    return first + count;
  }

  /** Parses {@code first:end}. */
  static ExampleRange parse(String text) {
    int colon = text.indexOf(':');
    long first = Long.parseLong(text.substring(0, colon));
    return new ExampleRange(first, Long.parseLong(text.substring(colon + 1)) - first);
  }

  /** Returns the text that {@link #parse} reads. */
  String text() {
    return first + ":" + end();
  }
}
