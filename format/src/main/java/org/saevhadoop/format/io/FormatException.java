package org.saevhadoop.format.io;

import java.io.IOException;

/**
 * Bad data: what every parser and reader of this project throws for bytes, sizes or documents that
 * are not as they must be. The message is one line for a person: {@code path: what is wrong, where
 * (what was expected)}.
 */
public final class FormatException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Characters of a problem: a hostile document can make any list in it as long as itself. */
  private static final int MOST = 2000;

  /**
   * @param path the file or folder that is at fault
   * @param problem what is wrong and where, with what was expected in parentheses
   */
  public FormatException(String path, String problem) {
    super(path + ": " + Quote.show(problem, MOST));
  }

  /** As {@link #FormatException(String, String)}, {@code problem} being a format string. */
  public static FormatException of(String path, String problem, Object... args) {
    return new FormatException(path, String.format(problem, args));
  }

  /** Throws unless {@code holds}; the pattern of every check in the readers. */
  public static void check(boolean holds, String path, String problem, Object... args)
      throws FormatException {
    if (!holds) {
      throw of(path, problem, args);
    }
  }
}
