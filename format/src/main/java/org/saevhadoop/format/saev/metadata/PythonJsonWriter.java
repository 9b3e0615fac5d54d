package org.saevhadoop.format.saev.metadata;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.saev.metadata.PythonJson.Sort;

/** The output of CPython's json/encoder.py with {@code ensure_ascii=True}, and that of orjson. */
final class PythonJsonWriter {
  private static final String ESCAPES = "\"\\bfnrt";
  private static final String ESCAPED = "\"\\\b\f\n\r\t";

  /** Python compares strings by code point, Java by UTF-16 unit: U+FFFD comes before U+1F600. */
  static final Comparator<String> BY_CODE_POINT = PythonJsonWriter::compareCodePoints;

  private final PythonJson.Style style;
  private final StringBuilder out = new StringBuilder();

  private PythonJsonWriter(PythonJson.Style style) {
    this.style = style;
  }

  static String write(Object value, PythonJson.Style style) {
    PythonJsonWriter writer = new PythonJsonWriter(style);
    writer.value(value, 0);
    return writer.out.toString();
  }

  private void value(Object value, int depth) {
    if (value instanceof Map<?, ?> members) {
      object(members, depth + 1);
    } else if (value instanceof List<?> items) {
      array(items, depth + 1);
    } else if (value instanceof String string) {
      string(string);
    } else if (value instanceof JsonNumber number) {
      out.append(number(number));
    } else if (value == null || value instanceof Boolean) {
      out.append(value);
    } else {
      throw new IllegalArgumentException("not a JSON value: " + value.getClass());
    }
  }

  private void object(Map<?, ?> members, int depth) {
    checkDepth(depth);
    List<String> keys = new ArrayList<>();
    members.keySet().forEach(key -> keys.add((String) key));
    if (style.sort() == Sort.ALL || style.sort() == Sort.NESTED && depth > 1) {
      keys.sort(BY_CODE_POINT);
    }
    out.append('{');
    String separator = "";
    for (String key : keys) {
      out.append(separator);
      newLine(depth);
      string(key);
      out.append(style.keySeparator());
      value(members.get(key), depth);
      separator = style.itemSeparator();
    }
    close('}', members.isEmpty(), depth);
  }

  private void array(List<?> items, int depth) {
    checkDepth(depth);
    out.append('[');
    String separator = "";
    for (Object item : items) {
      out.append(separator);
      newLine(depth);
      value(item, depth);
      separator = style.itemSeparator();
    }
    close(']', items.isEmpty(), depth);
  }

  private void close(char bracket, boolean empty, int depth) {
    if (!empty) {
      newLine(depth - 1);
    }
    out.append(bracket);
  }

  private void newLine(int depth) {
    if (style.indent() >= 0) {
      out.append('\n').append(" ".repeat(style.indent() * depth));
    }
  }

  private static void checkDepth(int depth) {
    if (depth > PythonJson.MAX_DEPTH) {
      throw new IllegalArgumentException("nested deeper than " + PythonJson.MAX_DEPTH + " levels");
    }
  }

  private String number(JsonNumber number) {
    return switch (style.dialect()) {
      case PYTHON -> number.canonical();
      case PYTHON_VERBATIM -> number.text();
      case ORJSON -> number.orjson();
      case ORJSON_VERBATIM -> number.isJson() ? number.text() : "null";
      case STRICT -> number.isJson() ? number.text() : '"' + number.text() + '"';
    };
  }

  /**
   * {@code ESCAPE_ASCII}: DEL is outside space to tilde, so Python escapes it; a slash it does not.
   * orjson escapes control characters, quotes and backslashes only.
   */
  private void string(String string) {
    out.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      int named = ESCAPED.indexOf(c);
      if (named >= 0) {
        out.append('\\').append(ESCAPES.charAt(named));
      } else if (c >= ' ' && (c <= '~' || !style.dialect().isAscii())) {
        out.append(c);
      } else {
        out.append("\\u").append(HexFormat.of().toHexDigits(c));
      }
    }
    out.append('"');
  }

  private static int compareCodePoints(String a, String b) {
    int shorter = Math.min(a.length(), b.length());
    for (int i = 0; i < shorter; i += Character.charCount(a.codePointAt(i))) {
      int order = Integer.compare(a.codePointAt(i), b.codePointAt(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
