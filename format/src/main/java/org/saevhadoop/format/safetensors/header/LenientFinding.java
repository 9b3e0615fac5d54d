package org.saevhadoop.format.safetensors.header;

import org.saevhadoop.format.io.FormatException;

/** The first place of a header that only {@link HeaderStrictness#LENIENT} reading accepts. */
final class LenientFinding {
  private int at = Integer.MAX_VALUE;
  private String problem;

  /** Whether there is none at a position or before it. */
  boolean isEmptyAt(int position) {
    return position < at;
  }

  /**
   * @param problem what is odd, with what was expected in parentheses
   */
  void note(int position, String problem) {
    if (isEmptyAt(position)) {
      at = position;
      this.problem = problem;
    }
  }

  /** Throws where there was one. */
  void refuse(HeaderFile file) throws FormatException {
    if (problem != null) {
      throw file.jsonError(at, problem + "; --lenient accepts it");
    }
  }
}
