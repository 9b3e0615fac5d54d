package org.saevhadoop.jobs.convert;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.mapreduce.job.ExampleRange;

/** The parts of a stage, which are named after the examples that they contain. */
public final class ExampleParts {
  private static final Pattern NAME = Pattern.compile("(\\d+)-(\\d+)");

  private ExampleParts() {}

  /** Returns the name of the part with some examples. */
  public static String range(long first, long count) {
    return "%012d-%d".formatted(first, count);
  }

  /**
   * Returns the examples that no part contains.
   *
   * @param names the names of parts, which do not overlap
   */
  public static List<ExampleRange> missing(Collection<String> names, long examples) {
    List<ExampleRange> found = new ArrayList<>();
    for (String name : names) {
      Matcher matcher = NAME.matcher(name);
      if (matcher.matches()) {
        found.add(
            new ExampleRange(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))));
      }
    }
    found.sort((a, b) -> Long.compare(a.first(), b.first()));
    List<ExampleRange> missing = new ArrayList<>();
    long next = 0;
    for (ExampleRange range : found) {
      if (range.first() > next) {
        missing.add(new ExampleRange(next, range.first() - next));
      }
      next = range.first() + range.count();
    }
    if (next < examples) {
      missing.add(new ExampleRange(next, examples - next));
    }
    return missing;
  }
}
