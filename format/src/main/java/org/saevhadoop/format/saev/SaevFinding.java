package org.saevhadoop.format.saev;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/**
 * Finding about a SAEV directory.
 *
 * @param level the severity
 * @param file the file concerned; empty for the directory
 * @param problem the problem, for messages that already name the file
 * @param line the problem, for messages that do not name the file
 * @param isSummary whether a check reports the finding in more detail, file by file
 */
record SaevFinding(Level level, String file, String problem, String line, boolean isSummary) {
  /** Severity of a finding. */
  enum Level {
    /** A reader would return wrong values; the dataset is not opened. */
    FAULT,
    /** The dataset is read, but the original readers reject it, or part of it is not read. */
    PROBLEM,
    /** Information for the user. */
    WARNING
  }

  /** Returns a finding about a file. */
  @FormatMethod
  static SaevFinding of(Level level, String file, @FormatString String problem, Object... args) {
    String text = problem.formatted(args);
    return new SaevFinding(level, file, text, file + " " + text, false);
  }

  /**
   * Returns a finding with a self-contained message, about a file or, if {@code file} is empty, the
   * directory.
   */
  static SaevFinding alone(Level level, String file, String line) {
    return new SaevFinding(level, file, line, line, false);
  }

  /** Returns a finding that a check replaces by its details. */
  static SaevFinding summary(Level level, String line) {
    return new SaevFinding(level, "", line, line, true);
  }
}
