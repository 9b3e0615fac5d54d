package org.saevhadoop.format.io;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the template of a message, see {@link ErrorKind}.
 *
 * @param problem what is wrong
 * @param where the position in the file; null if the template contains none
 * @param expected what was expected; null if the template does not contain it
 */
record ErrorTemplate(String problem, @Nullable String where, @Nullable String expected) {
  private static final String EXPECTED = " (expected ";
  private static final String WHERE = ", at ";

  /** Format specifiers that take an argument; templates of this project do not number arguments. */
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

  FormatException fill(ErrorKind kind, String path, @Nullable Object[] args) {
    int first = arguments(problem);
    int second = first + (where == null ? 0 : arguments(where));
    return kind.of(
        path,
        where == null ? null : Quote.sentence(where, Arrays.copyOfRange(args, first, second)),
        Quote.sentence(problem, Arrays.copyOfRange(args, 0, first)),
        expected == null
            ? null
            : Quote.sentence(expected, Arrays.copyOfRange(args, second, args.length)));
  }

  private static int arguments(String part) {
    return (int) SPECIFIER.matcher(part.replace("%%", "")).results().count();
  }
}
