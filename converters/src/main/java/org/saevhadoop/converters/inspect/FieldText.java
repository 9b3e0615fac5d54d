package org.saevhadoop.converters.inspect;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.saevhadoop.converters.console.JsonWriter;
import org.saevhadoop.converters.console.RecordFields;
import org.saevhadoop.converters.inspect.SourceProposal.Suggestion;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.Quote;

/**
 * The fields of a report as text: one line per field, with the name and the value in two columns.
 */
final class FieldText {
  /** The maximum number of lines of a list, so that the lines after it remain visible. */
  private static final int MAX_LINES = 1000;

  private static final String BYTES = "bytes";

  /** Fields that are left out of the text. */
  private static final Set<String> FOR_PROGRAMS = Set.of("path", "stored_dtype");

  private FieldText() {}

  static void print(PrintWriter out, Map<String, Object> fields) {
    fields.forEach(
        (name, value) -> {
          if (!FOR_PROGRAMS.contains(name)) {
            print(out, name, value);
          }
        });
  }

  private static void print(PrintWriter out, String name, Object value) {
    if (value instanceof Map<?, ?> fields) {
      out.println(name);
      fields.forEach(
          (key, item) -> out.printf("  %-26s %s%n", Quote.show(String.valueOf(key)), plain(item)));
    } else if (name.startsWith(BYTES)) {
      out.printf("%-20s %s (%s)%n", name, value, ByteSizes.show(((Number) value).longValue()));
    } else if (value instanceof List<?> items && !name.equals("layers")) {
      out.printf("%-20s %d%n", name, items.size());
      items.stream().limit(MAX_LINES).forEach(item -> out.println("  " + item(item)));
      if (items.size() > MAX_LINES) {
        out.printf("  and %d more (--json lists them)%n", items.size() - MAX_LINES);
      }
    } else {
      out.printf("%-20s %s%n", name, plain(value));
    }
  }

  private static String item(Object item) {
    if (item instanceof Suggestion way) { // the command is pasted as a line
      return plain(way.command()) + "\n    " + way.shape();
    }
    if (item instanceof Record record) {
      return line(RecordFields.of(record));
    }
    return item instanceof Map<?, ?> fields ? line(fields) : plain(item);
  }

  private static String plain(Object value) {
    return Quote.show(value instanceof String text ? text : JsonWriter.text(value));
  }

  /** Returns fields on one line; an order, or a value that is not text, is followed by its name. */
  static String line(Map<?, ?> fields) {
    StringJoiner line = new StringJoiner("  ");
    fields.forEach(
        (name, value) -> {
          if (name.equals(BYTES)) {
            line.add(ByteSizes.show(((Number) value).longValue()));
          } else if (value instanceof Boolean) {
            line.add(name.toString());
          } else if (value instanceof Integer || value instanceof Long) {
            line.add(Quote.sentence("%d " + name.toString().replace("%", "%%"), value));
          } else if (!FOR_PROGRAMS.contains(name)) {
            boolean isNamed = !(value instanceof String) || name.equals("order");
            line.add(plain(value) + (isNamed ? " " + name : ""));
          }
        });
    return line.toString();
  }
}
