package org.saevhadoop.format.slice;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/** A tensor does not have a slice. The message begins with the reference's name of the error. */
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
