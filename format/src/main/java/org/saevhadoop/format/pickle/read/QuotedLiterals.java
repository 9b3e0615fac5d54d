package org.saevhadoop.format.pickle.read;

import java.io.ByteArrayOutputStream;
import org.saevhadoop.format.io.FormatException;

/** String literals of Python 2 in protocol 0. */
final class QuotedLiterals {
  private static final String ESCAPES = "\\'\"abfnrtv";
  private static final String ESCAPED = "\\'\"\u0007\b\f\n\r\t\u000b";
  private static final int OCTAL_DIGITS = 3;

  private final PickleInput in;
  private final String line;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int at = 1;

  private QuotedLiterals(PickleInput in, String line) {
    this.in = in;
    this.line = line;
  }

  /**
   * Returns the bytes of a literal.
   *
   * @param line the literal, including its quotes, as Latin-1
   */
  static byte[] unquote(PickleInput in, String line) throws FormatException {
    int last = line.length() - 1;
    in.check(
        last >= 1
            && line.charAt(0) == line.charAt(last)
            && (line.charAt(0) == '\'' || line.charAt(0) == '"'),
        "a string without quotes");
    QuotedLiterals quoted = new QuotedLiterals(in, line.substring(0, last));
    while (quoted.at < last) {
      quoted.next();
    }
    return quoted.bytes.toByteArray();
  }

  private void next() throws FormatException {
    char c = line.charAt(at++);
    if (c != '\\') {
      bytes.write(c);
      return;
    }
    in.check(at < line.length(), "a string that ends in a backslash");
    char escape = line.charAt(at++);
    if (ESCAPES.indexOf(escape) >= 0) {
      bytes.write(ESCAPED.charAt(ESCAPES.indexOf(escape)));
    } else if (escape == 'x') {
      int end = at + 2;
      bytes.write(number(end, 16));
      in.check(at == end, "a string with an incomplete \\x escape");
    } else if (escape >= '0' && escape <= '7') {
      at--;
      bytes.write(number(at + OCTAL_DIGITS, 8));
    } else {
      bytes.write(c);
      bytes.write(escape);
    }
  }

  private int number(int end, int radix) {
    int number = 0;
    while (at < Math.min(end, line.length()) && Character.digit(line.charAt(at), radix) >= 0) {
      number = number * radix + Character.digit(line.charAt(at++), radix);
    }
    return number;
  }
}
