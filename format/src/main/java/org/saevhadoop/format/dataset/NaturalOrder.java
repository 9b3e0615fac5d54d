package org.saevhadoop.format.dataset;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Natural order of names: {@code host_2} precedes {@code host_10}. Runs of digits are compared as
 * numbers of any size, other characters by their code units. Names that differ only in leading
 * zeros are ordered as texts.
 */
public final class NaturalOrder {
  public static final Comparator<String> OF_NAMES =
      Comparator.comparing(NaturalOrder::key).thenComparing(Comparator.naturalOrder());

  private static final Pattern NUMBER = Pattern.compile("(?=\\d)0*(\\d*)");

  private NaturalOrder() {}

  /** Returns the name with a digit and the number of its digits before each number. */
  private static String key(String name) {
    return NUMBER
        .matcher(name)
        .replaceAll(
            number ->
                Matcher.quoteReplacement("0" + (char) number.group(1).length() + number.group(1)));
  }
}
