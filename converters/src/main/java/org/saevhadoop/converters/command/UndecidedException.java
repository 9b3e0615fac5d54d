package org.saevhadoop.converters.command;

import org.saevhadoop.format.io.FormatException;

/**
 * The error for files whose arrays can be read in several ways, with a command that selects one of
 * these ways.
 */
public final class UndecidedException extends FormatException {
  private static final long serialVersionUID = 1L;

  private final transient String next;

  /**
   * @param advice a description of the command
   * @param next the command line
   */
  UndecidedException(FormatException error, String advice, String next) {
    super(
        error.kind(),
        error.path(),
        error.where(),
        error.problem(),
        error.expected() == null ? advice : error.expected() + "; " + advice,
        error);
    this.next = next;
  }

  /** Returns the command line. */
  public String next() {
    return next;
  }
}
