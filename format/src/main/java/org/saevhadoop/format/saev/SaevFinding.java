package org.saevhadoop.format.saev;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/**
 * Something about a SAEV directory that its user should know.
 *
 * @param file the file that it is about; empty for the directory
 * @param problem what is wrong with the file, where it is named already
 * @param line the same where it is not named yet
 * @param isSummary whether a check says it in more detail, file by file
 */
record SaevFinding(Level level, String file, String problem, String line, boolean isSummary) {
  /** How bad it is. */
  enum Level {
    /** A reader would invent numbers: the dataset is not opened. */
    FAULT,
    /** It is read here, but the original readers refuse it, or part of it is not read. */
    PROBLEM,
    /** Good to know. */
    WARNING
  }

  /** A finding about a file. */
  @FormatMethod
  static SaevFinding of(Level level, String file, @FormatString String problem, Object... args) {
    String text = problem.formatted(args);
    return new SaevFinding(level, file, text, file + " " + text, false);
  }

  /** A finding that speaks for itself, about a file or, where that is empty, the directory. */
  static SaevFinding alone(Level level, String file, String line) {
    return new SaevFinding(level, file, line, line, false);
  }

  /** A finding that a check replaces by its details. */
  static SaevFinding summary(Level level, String line) {
    return new SaevFinding(level, "", line, line, true);
  }
}
