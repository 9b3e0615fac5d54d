package org.saevhadoop.format.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.CharConversionException;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/** Errors of documents that Jackson parses, in the words of this project where they differ. */
public final class JacksonErrors {
  private static final int MAX_LENGTH = 200;

  /** Text that quotes the document or names the class of the input. */
  private static final String START_OF_VALUE = " \\((start marker|for \\w+ starting) at .*";

  /** Name of the setting that holds a limit. */
  private static final String NAME_OF_LIMIT = ", from `[^`]*`";

  private JacksonErrors() {}

  /**
   * Returns the exception for a document that is not JSON.
   *
   * @param path the path of the document
   */
  public static FormatException notJson(
      ErrorKind kind, String path, JsonProcessingException cause) {
    String problem = problem(cause);
    long at = cause.getLocation() == null ? -1 : cause.getLocation().getByteOffset();
    FormatException error =
        at < 0
            ? kind.in(path, "not JSON: %s", problem)
            : kind.in(path, "not JSON: %s, at byte %d", problem, at);
    return error.causedBy(cause);
  }

  /**
   * Returns the exception for a document that is not Unicode text.
   *
   * @param path the path of the document
   */
  public static FormatException notJson(
      ErrorKind kind, String path, CharConversionException cause) {
    String problem = Quote.show(cause.getMessage(), MAX_LENGTH);
    return kind.in(path, "not JSON: %s", problem).causedBy(cause);
  }

  /** Returns what is wrong, on one line. */
  public static String problem(JsonProcessingException error) {
    String line = error.getOriginalMessage().lines().findFirst().orElse("");
    return Quote.show(
        line.replaceFirst(START_OF_VALUE, "").replaceFirst(NAME_OF_LIMIT, ""), MAX_LENGTH);
  }
}
