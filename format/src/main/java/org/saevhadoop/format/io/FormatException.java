package org.saevhadoop.format.io;

import java.io.IOException;

/**
 * Invalid data: thrown by every parser and reader of this project if bytes, sizes or documents
 * violate their format. The message is one line for the user: {@code path: what is wrong, where
 * (what was expected)}.
 */
public final class FormatException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Maximum length of a problem in characters; without it, a hostile document could inflate any
   * list in a message to its own size.
   */
  private static final int MOST = 2000;

  /**
   * Creates an exception.
   *
   * @param path the path of the invalid file or folder
   * @param problem the problem and its position, with the expectation in parentheses
   */
  public FormatException(String path, String problem) {
    super(path + ": " + (problem.length() > MOST ? problem.substring(0, MOST) + "..." : problem));
  }

  /** Returns an exception whose problem is formatted with {@code problem} as the format string. */
  public static FormatException of(String path, String problem, Object... args) {
    return new FormatException(path, String.format(problem, args));
  }

  /** Throws an exception unless {@code holds}; every check in the readers uses it. */
  public static void check(boolean holds, String path, String problem, Object... args)
      throws FormatException {
    if (!holds) {
      throw of(path, problem, args);
    }
  }
}
