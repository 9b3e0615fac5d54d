package org.saevhadoop.format.slice;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/**
 * Thrown if a tensor does not have the requested slice. The message begins with the name of the
 * error in the reference implementation.
 */
public final class SliceException extends Exception {
  private static final long serialVersionUID = 1L;

  private SliceException(String message) {
    super(message);
  }

  @FormatMethod
  static SliceException of(@FormatString String message, Object... args) {
    return new SliceException(String.format(message, args));
  }
}
