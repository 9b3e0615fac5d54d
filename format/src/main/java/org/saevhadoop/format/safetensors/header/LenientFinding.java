package org.saevhadoop.format.safetensors.header;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;

/** The first construct in a header that only {@link HeaderStrictness#LENIENT} parsing accepts. */
final class LenientFinding {
  private int at = Integer.MAX_VALUE;
  private @Nullable String problem;

  /** Returns whether there is no finding at or before a position. */
  boolean isEmptyAt(int position) {
    return position < at;
  }

  /**
   * Records a finding if it is the first one.
   *
   * @param problem the finding, with the expected form in parentheses
   */
  void note(int position, String problem) {
    if (isEmptyAt(position)) {
      at = position;
      this.problem = problem;
    }
  }

  /** Throws an error if there is a finding. */
  void refuse(HeaderFile file) throws FormatException {
    if (problem != null) {
      throw file.jsonError(at, problem + "; --lenient accepts it");
    }
  }
}
