package org.saevhadoop.format.io;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;

/**
 * Kind of error in data. Each format lists its kinds in an enum, so that callers and tests can
 * distinguish errors without parsing messages.
 *
 * <p>A template is a format string of {@link java.util.Formatter}, checked at compile time, in the
 * form {@code problem[, at position][ (expected value)]}. A template is divided into these parts
 * before the arguments are filled in, so that text from the data cannot be mistaken for a part.
 */
@PublicApi
public interface ErrorKind {
  /** Returns the name of the kind. */
  String name();

  /** Returns whether messages begin with the name of the kind. */
  default boolean isShown() {
    return false;
  }

  /**
   * Returns whether storage or a server is at fault rather than the data, so that repeating the
   * operation may succeed.
   */
  default boolean isExternal() {
    return false;
  }

  /**
   * Returns whether an error of this kind is always caused by the data and never by the options.
   * Verification reports such an error as a finding even if the dataset cannot be opened.
   */
  default boolean isOfData() {
    return false;
  }

  /**
   * Returns the exception for a file or folder.
   *
   * @param path the file or folder that is at fault
   */
  @FormatMethod
  default FormatException in(String path, @FormatString String template, @Nullable Object... args) {
    return FormatException.Template.of(template).fill(this, path, args);
  }

  /**
   * Returns the exception for a file or folder from the finished parts of a message.
   *
   * @param path the file or folder that is at fault
   * @param where the position; null if it is unknown or contained in {@code problem}
   * @param problem what is wrong
   * @param expected what was expected; null if that is obvious
   */
  default FormatException of(
      String path, @Nullable String where, String problem, @Nullable String expected) {
    return isExternal()
        ? new ExternalException(this, path, where, problem, expected)
        : new FormatException(this, path, where, problem, expected, null);
  }

  /**
   * Throws an exception unless a condition holds.
   *
   * @param path the file or folder that is at fault
   * @throws FormatException if {@code holds} is false
   */
  @FormatMethod
  default void check(
      boolean holds, String path, @FormatString String template, @Nullable Object... args)
      throws FormatException {
    if (!holds) {
      throw in(path, template, args);
    }
  }
}
