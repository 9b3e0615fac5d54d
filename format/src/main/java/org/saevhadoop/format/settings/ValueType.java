package org.saevhadoop.format.settings;

import java.util.List;

/** The values of a setting, and their conversion from and to text. */
public interface ValueType<T> {
  /**
   * Parses a text.
   *
   * @throws IllegalArgumentException if the text is not a valid value; the message may be more
   *     specific than {@link #expected}, or be null
   */
  T parse(String text);

  /** Returns text that {@link #parse} turns into the value. */
  String show(T value);

  /**
   * Returns a description of the expected values for error messages, such as {@code 50 to 1000}.
   */
  String expected();

  /** Returns the placeholder for the value in help texts, such as {@code N}. */
  String label();

  /** Returns whether an option that sets such a value may be repeated, once for each item. */
  default boolean isList() {
    return false;
  }

  /**
   * Returns the text of a value that was given as an option.
   *
   * @param items the arguments of the option: a single one, or one for each item of a list
   */
  default String join(List<String> items) {
    return items.get(0);
  }

  /** Returns whether the value may be any text, which must be escaped in a configuration. */
  default boolean isText() {
    return false;
  }

  /**
   * Returns whether text that a user wrote into a configuration is taken verbatim. Otherwise,
   * whitespace around the text is ignored and Hadoop expands <code>${...}</code> in it.
   */
  default boolean isVerbatim() {
    return false;
  }
}
