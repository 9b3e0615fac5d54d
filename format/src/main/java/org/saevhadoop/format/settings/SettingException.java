package org.saevhadoop.format.settings;

import org.saevhadoop.format.api.PublicApi;

/**
 * Thrown if a setting is invalid regardless of the data: the command line or the configuration must
 * be changed.
 */
@PublicApi
public final class SettingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception; the message names the option or the key that the user set. */
  public SettingException(String message) {
    super(message);
  }

  /** Creates an exception with a cause. */
  public SettingException(String message, Throwable cause) {
    super(message, cause);
  }
}
