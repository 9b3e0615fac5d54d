package org.saevhadoop.converters.console;

import java.util.Map;

/**
 * The display settings of a command, for all output except results and errors.
 *
 * @param notes whether status lines and warnings are shown
 * @param details whether details of the work are shown
 * @param progress whether the progress of jobs is shown
 * @param color whether colors and other ANSI sequences may be used
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
