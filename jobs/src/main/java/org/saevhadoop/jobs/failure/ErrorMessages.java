package org.saevhadoop.jobs.failure;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/** Formats errors as one line for the user. */
public final class ErrorMessages {
  private static final Pattern CLASS_NAME =
      Pattern.compile(
          "^(?:Error: )?(?:[a-z][\\w]*\\.)+[A-Z][\\w$]*(?:Exception|Error)?(?:\\([\\w.$]+\\))?: ");

  /** The maximum length of a message in characters. */
  private static final int MAX_LENGTH = 4000;

  private ErrorMessages() {}

  /** Returns the one line that reports a failure. */
  public static String describe(Throwable thrown) {
    return describe(thrown, null);
  }

  /**
   * Returns the one line that reports a failure.
   *
   * @param source the path of the dataset that was read, for failures that do not name a path; null
   *     if no dataset was read
   */
  public static String describe(Throwable thrown, @Nullable String source) {
    Throwable cause = thrown;
    while (cause.getCause() != null
        && !(cause instanceof FormatException)
        && (cause.getMessage() == null
            || cause instanceof UncheckedIOException
            || cause.getMessage().equals(cause.getCause().toString()))) {
      cause = cause.getCause();
    }
    if (cause instanceof OutOfMemoryError) {
      return "%sout of memory: give the JVM more with %s=-Xmx... (its heap is %s)"
          .formatted(
              source == null ? "" : Quote.show(source) + ": ",
              optionsVariable(),
              ByteSizes.show(Runtime.getRuntime().maxMemory()));
    }
    if (cause instanceof NoSuchFileException) {
      return Quote.show(cause.getMessage()) + ": no such file or directory";
    }
    if (cause instanceof AccessDeniedException) {
      return Quote.show(cause.getMessage()) + ": permission denied";
    }
    if (cause instanceof FileAlreadyExistsException) {
      return Quote.show(cause.getMessage()) + ": already exists";
    }
    if (cause instanceof FormatException) {
      // the message quotes names from the dataset, which may be long
      return Quote.show(cause.getMessage(), MAX_LENGTH);
    }
    if (cause.getMessage() == null) {
      return cause.getClass().getSimpleName() + " (run with --debug to see where)";
    }
    return firstLine(cause.getMessage());
  }

  /**
   * Returns the name of the environment variable that holds the options of this JVM; the name
   * depends on the launcher.
   */
  private static String optionsVariable() {
    return System.getProperty("saev.terminal") == null ? "HADOOP_CLIENT_OPTS" : "SAEV_HADOOP_OPTS";
  }

  /** Returns the message in the diagnostics of a task, which are a stack trace as text. */
  public static String fromDiagnostics(String text) {
    String line = firstLine(text);
    Matcher name = CLASS_NAME.matcher(line);
    return name.find() ? line.substring(name.end()) : line;
  }

  private static String firstLine(String text) {
    String line = text.strip();
    int end = line.indexOf('\n');
    return Quote.show(end < 0 ? line : line.substring(0, end).strip());
  }
}
