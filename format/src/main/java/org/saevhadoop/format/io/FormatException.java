package org.saevhadoop.format.io;

import java.io.IOException;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;

/**
 * Thrown by every parser and reader of this project for bytes, sizes or documents that violate
 * their format. The message is one line for users: {@code path: what is wrong, where (what was
 * expected)}; for formats whose kinds of errors are documented, the kind precedes the problem.
 * Exceptions are created by an {@link ErrorKind}.
 */
@PublicApi
public class FormatException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The maximum number of characters after the path: hostile documents can cause long lists. */
  private static final int MAX_LENGTH = 2000;

  private final transient ErrorKind kind;
  private final String path;
  private final @Nullable String where;
  private final String problem;
  private final @Nullable String expected;

  /**
   * Creates an exception.
   *
   * @param path the file or folder that is at fault
   * @param where the position, such as {@code at byte 17}; null if it is not known
   * @param problem what is wrong
   * @param expected what was expected; null if that is obvious
   * @param cause the exception that revealed the error; null if there is none
   */
  public FormatException(
      ErrorKind kind,
      String path,
      @Nullable String where,
      String problem,
      @Nullable String expected,
      @Nullable Throwable cause) {
    super(path + ": " + line(kind, where, problem, expected));
    if (cause != null) {
      initCause(cause);
    }
    this.kind = kind;
    this.path = path;
    this.where = where;
    this.problem = problem;
    this.expected = expected;
  }

  private static String line(
      ErrorKind kind, @Nullable String where, String problem, @Nullable String expected) {
    String line =
        (kind.isShown() ? kind.name() + ": " : "")
            + problem
            + (where == null ? "" : ", " + where)
            + (expected == null ? "" : " (expected " + expected + ")");
    return Quote.show(line, MAX_LENGTH);
  }

  /** Sets the exception that revealed the error, and returns this one. */
  public FormatException causedBy(@Nullable Throwable cause) {
    initCause(cause);
    return this;
  }

  /** Returns the kind of the error; null after deserialization, which this project does not use. */
  public ErrorKind kind() {
    return kind;
  }

  /** Returns the path of the file or folder that is at fault. */
  public String path() {
    return path;
  }

  /** Returns the position of the error, such as {@code at byte 17}; null if it is not known. */
  public @Nullable String where() {
    return where;
  }

  /** Returns the problem, without the path and the position. */
  public String problem() {
    return problem;
  }

  /** Returns the expected value or form; null if the message does not contain it. */
  public @Nullable String expected() {
    return expected;
  }

  /**
   * The parts of a message template; see {@link ErrorKind}.
   *
   * @param problem what is wrong
   * @param where the position in the file; null if the template contains none
   * @param expected what was expected; null if the template does not contain it
   */
  record Template(String problem, @Nullable String where, @Nullable String expected) {
    private static final String EXPECTED = " (expected ";
    private static final String WHERE = ", at ";

    /**
     * Format specifiers that take an argument; the templates in this project do not number their
     * arguments.
     */
    private static final Pattern SPECIFIER = Pattern.compile("%[-#+ 0,(.\\d]*[a-zA-Z]");

    static Template of(String template) {
      String head = template;
      String expected = null;
      int begin = head.lastIndexOf(EXPECTED);
      if (begin >= 0 && head.endsWith(")")) {
        expected = head.substring(begin + EXPECTED.length(), head.length() - 1);
        head = head.substring(0, begin);
      }
      int at = head.lastIndexOf(WHERE);
      return at < 0
          ? new Template(head, null, expected)
          : new Template(head.substring(0, at), head.substring(at + 2), expected);
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
}
