package org.saevhadoop.format.pickleshards.directory;

import java.util.Comparator;

/**
 * Natural order of names: {@code host_2} precedes {@code host_10}. Runs of digits are compared as
 * numbers of any size, other characters by their code units. Names that differ only in leading
 * zeros are ordered as texts.
 */
final class NaturalOrder implements Comparator<String> {
  static final NaturalOrder OF_NAMES = new NaturalOrder();

  private NaturalOrder() {}

  @Override
  public int compare(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      int order;
      if (isDigit(a.charAt(i)) && isDigit(b.charAt(j))) {
        int endOfA = endOfDigits(a, i);
        int endOfB = endOfDigits(b, j);
        order = compareNumbers(a.substring(i, endOfA), b.substring(j, endOfB));
        i = endOfA;
        j = endOfB;
      } else {
        order = Character.compare(a.charAt(i++), b.charAt(j++));
      }
      if (order != 0) {
        return order;
      }
    }
    int order = Integer.compare(a.length() - i, b.length() - j);
    return order != 0 ? order : a.compareTo(b);
  }

  private static int compareNumbers(String a, String b) {
    String x = a.replaceFirst("^0+", "");
    String y = b.replaceFirst("^0+", "");
    return x.length() != y.length() ? Integer.compare(x.length(), y.length()) : x.compareTo(y);
  }

  private static int endOfDigits(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
