package org.saevhadoop.converters.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.failure.ErrorMessages;
import org.saevhadoop.jobs.source.NestedDatasetsException;

/**
 * JSON as all commands print it (docs/json.md): the version of the schema comes first, names and
 * words are the same in all of them, a field without a value is omitted, and all is ASCII.
 */
public final class JsonOutput {
  /** The beginning of an object that is made without a tree, because there are many of them. */
  public static final String START = "{\"schema\":1,";

  /** The kind of errors of the command line. */
  static final String USAGE = "USAGE";

  /** The kind of errors that are neither in data nor in the command line. */
  static final String OTHER = "FAILED";

  private static final int SCHEMA = 1;
  private static final char DELETE = 0x7f;

  private static final Pattern EXPECTED = Pattern.compile("(.*) \\(expected (.*)\\)");

  // lone surrogates, as in a path that is not valid UTF-8, survive only as escapes
  public static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
          .build();

  private JsonOutput() {}

  /** Returns an object that has the version of the schema. */
  public static ObjectNode object() {
    return MAPPER.createObjectNode().put("schema", SCHEMA);
  }

  /** Adds a field, unless it has no value. */
  public static void put(ObjectNode node, String key, @Nullable String value) {
    if (value != null) {
      node.put(key, value);
    }
  }

  /** Adds the shape of activations. */
  public static void shape(ObjectNode node, Geometry geometry) {
    node.put("examples", geometry.examples());
    geometry.layers().forEach(node.putArray("layers")::add);
    node.put("tokens", geometry.tokens()).put("dim", geometry.dim());
  }

  /** Adds the type of values: its name in numpy, and the name that the format stores. */
  public static void dtype(ObjectNode node, DType dtype, DatasetFormat format) {
    node.put("dtype", dtype.numpyName());
    put(node, "stored_dtype", format.storedName(dtype));
  }

  /** Adds what is wrong with data. */
  public static void problem(ObjectNode node, FormatException problem) {
    node.put("kind", problem.kind().name());
    node.put("path", problem.path());
    put(node, "where", problem.where());
    node.put("message", problem.problem());
    put(node, "expected", problem.expected());
  }

  /** Returns the object of a command that failed, on one line. */
  public static String failure(Throwable thrown, @Nullable String source, int exit) {
    ObjectNode error = MAPPER.createObjectNode();
    String line = ErrorMessages.describe(thrown, source);
    FormatException problem = problem(thrown, line);
    if (problem != null) {
      problem(error, problem);
      if (problem instanceof NestedDatasetsException nested) {
        nested.paths().forEach(error.putArray("datasets")::add);
      }
    } else {
      error.put("kind", OTHER);
      put(error, "path", source);
      error.put("message", line);
    }
    return failure(error, exit);
  }

  /** Returns the error in data that a line reports; null if it reports something else. */
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
    ObjectNode error = MAPPER.createObjectNode().put("kind", USAGE);
    if (parts.matches()) {
      error.put("message", parts.group(1)).put("expected", parts.group(2));
    } else {
      error.put("message", line);
    }
    return failure(error, 2);
  }

  private static String failure(ObjectNode error, int exit) {
    ObjectNode failure = object();
    failure.set("error", error);
    return line(failure.put("exit", exit));
  }

  /** Returns an object on one line. */
  public static String line(JsonNode node) {
    return write(node, false);
  }

  /** Returns an object on several lines. */
  public static String lines(JsonNode node) {
    return write(node, true);
  }

  /** Prints an object on several lines, without its text in memory. */
  public static void print(JsonNode node, PrintWriter out) throws IOException {
    MAPPER.writerWithDefaultPrettyPrinter().writeValue(out, node);
    out.println();
  }

  /** Returns a text as JSON, with its quotes. */
  public static String text(String text) {
    return line(MAPPER.getNodeFactory().textNode(text));
  }

  private static String write(JsonNode node, boolean pretty) {
    try {
      return (pretty ? MAPPER.writerWithDefaultPrettyPrinter() : MAPPER.writer())
          .writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // a tree is always JSON
    }
  }

  /** Returns JSON in ASCII: other characters can only be in its strings. */
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
