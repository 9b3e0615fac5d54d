package org.saevhadoop.mapreduce.conf;

/** A setting is wrong, whatever the data: the command line or the configuration must be changed. */
public final class SettingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Creates it with a message that names what was typed. */
  public SettingException(String message) {
    super(message);
  }

  /** Creates it with a message that names what was typed. */
  public SettingException(String message, Throwable cause) {
    super(message, cause);
  }
}
