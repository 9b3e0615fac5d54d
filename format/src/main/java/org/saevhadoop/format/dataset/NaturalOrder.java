package org.saevhadoop.format.dataset;

import java.util.Comparator;

/**
 * Natural order of names: {@code host_2} precedes {@code host_10}. Runs of digits are compared as
 * numbers of any size, and other characters by their code units. Names that differ only in leading
 * zeros are ordered as strings.
 */
public final class NaturalOrder {
  public static final Comparator<String> OF_NAMES =
      ((Comparator<String>) NaturalOrder::compare).thenComparing(Comparator.naturalOrder());

  private NaturalOrder() {}

  private static int compare(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      boolean areDigits = isDigit(a, i) && isDigit(b, j);
      if (!areDigits) {
        // numbers sort among other characters like the digit 0
        int order =
            Character.compare(isDigit(a, i) ? '0' : a.charAt(i), isDigit(b, j) ? '0' : b.charAt(j));
        if (order != 0) {
          return order;
        }
        i++;
        j++;
        continue;
      }
      int first = significant(a, i);
      int second = significant(b, j);
      i = end(a, first);
      j = end(b, second);
      int order = Integer.compare(i - first, j - second);
      for (int k = 0; order == 0 && first + k < i; k++) {
        order = Character.compare(a.charAt(first + k), b.charAt(second + k));
      }
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.length() - i, b.length() - j);
  }

  /** Returns the index of the first nonzero digit of a number, or the end of the number. */
  private static int significant(String name, int begin) {
    int at = begin;
    while (at < name.length() && name.charAt(at) == '0') {
      at++;
    }
    return at;
  }

  private static int end(String name, int begin) {
    int at = begin;
    while (at < name.length() && isDigit(name, at)) {
      at++;
    }
    return at;
  }

  private static boolean isDigit(String name, int at) {
    char c = name.charAt(at);
    return c >= '0' && c <= '9';
  }
}
