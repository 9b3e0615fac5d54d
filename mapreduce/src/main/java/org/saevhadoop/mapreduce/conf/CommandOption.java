package org.saevhadoop.mapreduce.conf;

/**
 * An option of the command line that sets a key.
 *
 * @param name its name, such as {@code --batch-size}
 * @param value what the option sets the key to; null if the user types the value
 * @param help what the option does; null if the help of the key says it
 */
public record CommandOption(String name, String value, String help) {
  /** Returns whether the option takes no value. */
  public boolean isFlag() {
    return value != null;
  }
}
