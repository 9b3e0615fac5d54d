package org.saevhadoop.format.io;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parts of a message's template, see {@link ErrorKind}.
 *
 * @param problem what is wrong
 * @param where the position in the file; null if the template names none
 * @param expected what was expected; null if the template does not contain it
 */
record ErrorTemplate(String problem, String where, String expected) {
  private static final String EXPECTED = " (expected ";
  private static final String WHERE = ", at ";

  /** Specifiers that take an argument; none of the project's templates numbers its arguments. */
  private static final Pattern SPECIFIER = Pattern.compile("%[-#+ 0,(.\\d]*[a-zA-Z]");

  static ErrorTemplate of(String template) {
    String head = template;
    String expected = null;
    int begin = head.lastIndexOf(EXPECTED);
    if (begin >= 0 && head.endsWith(")")) {
      expected = head.substring(begin + EXPECTED.length(), head.length() - 1);
      head = head.substring(0, begin);
    }
    int at = head.lastIndexOf(WHERE);
    return at < 0
        ? new ErrorTemplate(head, null, expected)
        : new ErrorTemplate(head.substring(0, at), head.substring(at + 2), expected);
  }

  /** Returns the exception whose parts have these arguments. */
  FormatException fill(ErrorKind kind, String path, Object[] args) {
    int first = arguments(problem);
    int second = first + arguments(where);
    return kind.of(
        path,
        fill(where, Arrays.copyOfRange(args, first, second)),
        fill(problem, Arrays.copyOfRange(args, 0, first)),
        fill(expected, Arrays.copyOfRange(args, second, args.length)));
  }

  private static String fill(String part, Object[] args) {
    return part == null ? null : String.format(part, args);
  }

  private static int arguments(String part) {
    if (part == null) {
      return 0;
    }
    Matcher specifiers = SPECIFIER.matcher(part.replace("%%", ""));
    return (int) specifiers.results().count();
  }
}
