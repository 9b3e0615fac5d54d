package org.saevhadoop.format.settings;

import org.jspecify.annotations.Nullable;

/**
 * A command line option that sets a key.
 *
 * @param name the name of the option, such as {@code --batch-size}
 * @param value the value to which the option sets the key; null if the user gives the value
 * @param help the effect of the option; null if the help of the key describes it
 * @param everyday whether {@code --help} shows the option in addition to {@code --help-all}
 */
public record CommandOption(
    String name, @Nullable String value, @Nullable String help, boolean everyday) {
  CommandOption(String name, @Nullable String value, @Nullable String help) {
    this(name, value, help, false);
  }

  /** Returns whether the option takes no value. */
  public boolean isFlag() {
    return value != null;
  }
}
