package org.saevhadoop.format.json;

/**
 * The order of strings in Python, which is also the order of their UTF-8 bytes. Java compares
 * UTF-16 units, in which U+1F600 comes before U+FFFD. A lone surrogate counts as a code point of
 * its own.
 */
public final class CodePointOrder {
  private CodePointOrder() {}

  /** Compares two strings, as a {@link java.util.Comparator} does. */
  public static int compare(String a, String b) {
    int end = Math.min(a.length(), b.length());
    int at = 0;
    while (at < end && a.charAt(at) == b.charAt(at)) {
      at++;
    }
    if (at == end) {
      return Integer.compare(a.length(), b.length());
    }
    boolean inPair =
        at > 0
            && Character.isHighSurrogate(a.charAt(at - 1))
            && (Character.isLowSurrogate(a.charAt(at)) || Character.isLowSurrogate(b.charAt(at)));
    int start = inPair ? at - 1 : at;
    return Integer.compare(a.codePointAt(start), b.codePointAt(start));
  }
}
