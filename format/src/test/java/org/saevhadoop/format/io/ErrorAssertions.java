package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * Assertions on errors in data. A test states the kind of the error and the path of the file at
 * fault; the text of the message stands in the golden file, see {@link GoldenMessages}.
 */
public final class ErrorAssertions {
  private ErrorAssertions() {}

  /**
   * Asserts that code fails because of a file or folder, with the message of the golden file.
   *
   * @param path the path, or its last names
   * @return the error
   */
  public static FormatException assertFails(ErrorKind kind, Object path, ThrowingCallable code) {
    return assertError(kind, path, catchThrowable(code));
  }

  /** Asserts the same of an exception, which may be the cause of the one that is passed. */
  public static FormatException assertError(ErrorKind kind, Object path, Throwable thrown) {
    FormatException error = assertKind(kind, path, thrown);
    GoldenMessages.check(error);
    return error;
  }

  /**
   * Asserts that code fails because of a file or folder, whatever the message: it contains values
   * that differ from run to run.
   */
  public static FormatException assertFailsWithAnyText(
      ErrorKind kind, Object path, ThrowingCallable code) {
    return assertKind(kind, path, catchThrowable(code));
  }

  private static FormatException assertKind(ErrorKind kind, Object path, Throwable thrown) {
    FormatException error = find(thrown);
    String last = path.toString();
    boolean isPath =
        error.path().equals(last)
            || error.path().endsWith(last.startsWith("/") ? last : "/" + last);
    assertThat(List.of(error.kind(), error.path()))
        .as(error.getMessage())
        .isEqualTo(List.of(kind, isPath ? error.path() : last));
    return error;
  }

  /** Returns the error in data among an exception and its causes. */
  public static FormatException find(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof FormatException error) {
        return error;
      }
    }
    throw new AssertionError("expected an error in data, but got " + thrown, thrown);
  }
}
