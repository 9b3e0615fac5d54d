package org.saevhadoop.format.arrays.file;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/**
 * Files whose names state the total number of files, such as {@code data-00000-of-00002.arrow}.
 * Hugging Face's {@code datasets} counts from 0, and may add a hash ({@code
 * train-00000-of-00001-0123456789abcdef.parquet}); {@code transformers} counts from 1.
 *
 * @param count the number of files
 */
record FileSeries(String prefix, int count, boolean hasHash, String suffix)
    implements Comparable<FileSeries> {
  private static final String OF = "-of-";
  private static final Pattern NAME =
      Pattern.compile("(.*?)(\\d{5})-of-(\\d{5})(-[0-9a-f]{8,})?(\\..*)?");

  private static final int MAX_LISTED = 4;
  private static final int MAX_SHOWN = 100;

  /**
   * Checks that no file is missing.
   *
   * @param path the path of the folder
   */
  static void check(String path, Collection<String> names) throws FormatException {
    Map<FileSeries, NavigableSet<Integer>> all = new TreeMap<>();
    for (String name : names) {
      Matcher matcher = name.contains(OF) ? NAME.matcher(name) : null;
      if (matcher != null && matcher.matches()) {
        String suffix = matcher.group(5) == null ? "" : matcher.group(5);
        int count = Integer.parseInt(matcher.group(3));
        boolean hasHash = matcher.group(4) != null;
        all.computeIfAbsent(
                new FileSeries(matcher.group(1), count, hasHash, suffix), own -> new TreeSet<>())
            .add(Integer.parseInt(matcher.group(2)));
      }
    }
    for (Map.Entry<FileSeries, NavigableSet<Integer>> own : all.entrySet()) {
      own.getKey().check(path, own.getValue());
    }
  }

  private void check(String path, NavigableSet<Integer> numbers) throws FormatException {
    int first = numbers.contains(count) && !numbers.contains(0) ? 1 : 0;
    List<String> missing = new ArrayList<>();
    int others = 0;
    for (int i = first; i < first + count; i++) {
      if (numbers.contains(i)) {
        continue;
      }
      if (missing.size() < MAX_LISTED) {
        missing.add(Quote.show(name(i), MAX_SHOWN));
      } else {
        others++;
      }
    }
    ArrayError.INCOMPLETE.check(
        missing.isEmpty(),
        path,
        "lacks %s%s (expected %d files; --files names the files to read)",
        String.join(", ", missing),
        others == 0 ? "" : Quote.sentence(" and %d others", others),
        count);
  }

  private String name(int number) {
    return "%s%05d-of-%05d%s%s".formatted(prefix, number, count, hasHash ? "-*" : "", suffix);
  }

  @Override
  public int compareTo(FileSeries other) {
    return name(0).compareTo(other.name(0));
  }
}
