package org.saevhadoop.converters.console;

import java.util.Map;

/**
 * The display of a command: everything in addition to results and errors.
 *
 * @param notes whether it shows status lines and warnings
 * @param details whether it shows details of the work
 * @param progress whether it shows the progress of jobs
 * @param color whether it may use colors and other ANSI sequences
 */
public record Display(boolean notes, boolean details, boolean progress, boolean color) {
  /** Everything but details. */
  public static final Display DEFAULT = new Display(true, false, true, true);

  /** The variable that prohibits colors if it has a value (no-color.org). */
  private static final String NO_COLOR = "NO_COLOR";

  /** Returns whether an environment permits colors. */
  public static boolean mayColor(Map<String, String> environment) {
    return environment.getOrDefault(NO_COLOR, "").isEmpty();
  }
}
