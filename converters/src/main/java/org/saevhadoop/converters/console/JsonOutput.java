package org.saevhadoop.converters.console;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.jobs.failure.ErrorMessages;
import org.saevhadoop.jobs.merge.MergeError;
import org.saevhadoop.jobs.source.NestedDatasetsException;

/**
 * JSON as all commands print it (docs/json.md): the version of the schema comes first, names and
 * words are the same in all commands, a field without a value is omitted, and all output is ASCII.
 */
public final class JsonOutput {
  /**
   * The beginning of an object that is written without building a tree, because there are many such
   * objects.
   */
  public static final String START = "{\"schema\":1,";

  /** The kind of command line errors. */
  static final String USAGE = "USAGE";

  /** The kind of errors that are neither in the data nor in the command line. */
  static final String OTHER = "FAILED";

  private static final int SCHEMA = 1;
  private static final char DELETE = 0x7f;

  private static final Pattern EXPECTED = Pattern.compile("(.*) \\(expected (.*)\\)");

  private JsonOutput() {}

  /**
   * An error in data or in a command line.
   *
   * @param datasets the datasets below a folder that is not a dataset
   * @param conflicts the errors that keep datasets from being merged, if there are several
   */
  public record Problem(
      String kind,
      @Nullable String path,
      @Nullable String where,
      String message,
      @Nullable String expected,
      @Nullable List<String> datasets,
      @Nullable List<Problem> conflicts) {
    /** Describes an error in the data. */
    public static Problem of(FormatException error) {
      return new Problem(
          error.kind().name(),
          error.path(),
          error.where(),
          error.problem(),
          error.expected(),
          error instanceof NestedDatasetsException nested ? nested.paths() : null,
          error.kind() == MergeError.CONFLICTS ? conflicts(error) : null);
    }

    private static List<Problem> conflicts(FormatException error) {
      return Arrays.stream(error.getSuppressed())
          .filter(FormatException.class::isInstance)
          .map(conflict -> of((FormatException) conflict))
          .toList();
    }

    private static Problem of(
        String kind, @Nullable String path, String message, @Nullable String expected) {
      return new Problem(kind, path, null, message, expected, null, null);
    }
  }

  private record Failure(Problem error, int exit) {}

  /** Returns the object of a command that failed, on one line. */
  public static String failure(Throwable thrown, @Nullable String source, int exit) {
    String line = ErrorMessages.describe(thrown, source);
    FormatException problem = problem(thrown, line);
    return line(
        new Failure(
            problem == null ? Problem.of(OTHER, source, line, null) : Problem.of(problem), exit));
  }

  /** Returns the data error that a line reports; null if the line reports something else. */
  private static @Nullable FormatException problem(Throwable thrown, String line) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof FormatException problem && line.contains(problem.problem())) {
        return problem;
      }
    }
    return null;
  }

  /** Returns the object of an invalid command line, on one line. */
  public static String usage(@Nullable String message) {
    String line = String.valueOf(message);
    Matcher parts = EXPECTED.matcher(line);
    boolean isDivided = parts.matches();
    return line(
        new Failure(
            Problem.of(
                USAGE, null, isDivided ? parts.group(1) : line, isDivided ? parts.group(2) : null),
            2));
  }

  private static String line(Record result) {
    return JsonWriter.line(fields(RecordFields.of(result)));
  }

  /** Prints a result as an object on several lines. */
  public static void print(Record result, PrintWriter out) throws IOException {
    print(RecordFields.of(result), out);
  }

  /**
   * Prints the fields of a result as an object on several lines, without holding its text in
   * memory.
   */
  public static void print(Map<String, ?> result, PrintWriter out) throws IOException {
    try (JsonGenerator json = JsonWriter.lines(out)) {
      JsonWriter.writeObject(fields(result), json);
    }
    out.println();
  }

  /** Returns the fields of an object, beginning with the version of the schema. */
  public static Map<String, Object> fields(Map<String, ?> result) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("schema", SCHEMA);
    fields.putAll(result);
    return fields;
  }

  /** Returns a string as JSON, with its quotes. */
  public static String text(String text) {
    return JsonWriter.line(text);
  }

  /** Returns JSON in ASCII. Other characters, which can occur only in strings, are escaped. */
  public static String ascii(String json) {
    if (json.chars().allMatch(c -> c < DELETE)) {
      return json;
    }
    StringBuilder ascii = new StringBuilder();
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      ascii.append(c < DELETE ? String.valueOf(c) : String.format("\\u%04x", (int) c));
    }
    return ascii.toString();
  }
}
