package org.saevhadoop.mapreduce.conf;

import java.util.List;

/** How the text of a setting becomes a value, and which values there are. */
public interface ValueType<T> {
  /**
   * Parses a text.
   *
   * @throws IllegalArgumentException if it is not one of the values; the message may say more than
   *     {@link #expected}, or be null
   */
  T parse(String text);

  /** Returns the text that {@link #parse} turns into the value. */
  String show(T value);

  /** Returns what a message says was expected, such as {@code a whole number from 50 to 1000}. */
  String expected();

  /** Returns what a help text shows in place of the value, such as {@code N}. */
  String label();

  /** Returns whether an option that sets it may be given several times, for several items. */
  default boolean isList() {
    return false;
  }

  /** Returns the text of a value that an option was given, of each of its items if it is a list. */
  default String join(List<String> items) {
    return items.get(0);
  }

  /** Returns whether the value may be any text, so that it must be escaped in a configuration. */
  default boolean isText() {
    return false;
  }

  /**
   * Returns whether text that a person wrote into a configuration is taken as it stands. Otherwise
   * blanks around it do not count, and <code>${...}</code> in it is expanded, as Hadoop does.
   */
  default boolean isVerbatim() {
    return false;
  }
}
