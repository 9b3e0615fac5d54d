package org.saevhadoop.format.saev.directory;

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
    /** A reader would return wrong values, so the dataset is not opened. */
    FAULT,
    /** The dataset is read, but the original readers reject it, or part of it is not read. */
    PROBLEM,
    /** Information for the user. */
    WARNING
  }

  /** Returns a finding that a check replaces with its details. */
  static SaevFinding summary(Level level, String line) {
    return new SaevFinding(level, "", line, line, true);
  }

  /** Returns the fault for a missing file, which a check replaces with its details. */
  static SaevFinding missing(String file, String problem) {
    return new SaevFinding(Level.FAULT, file, problem, file + " " + problem, true);
  }
}
