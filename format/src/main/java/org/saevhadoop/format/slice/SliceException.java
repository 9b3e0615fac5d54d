package org.saevhadoop.format.slice;

/**
 * A tensor does not have the requested slice. The message begins with the error name of the
 * safetensors crate.
 */
public final class SliceException extends Exception {
  private static final long serialVersionUID = 1L;

  private SliceException(String message) {
    super(message);
  }

  static SliceException of(String message, Object... args) {
    return new SliceException(String.format(message, args));
  }
}
