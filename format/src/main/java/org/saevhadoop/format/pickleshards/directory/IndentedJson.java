package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.tensor.FloatText;

/**
 * Writes what {@code json.dump(document, file, indent=2)} does, without final newline. It never
 * holds the document: a list's items may come as they are written.
 */
final class IndentedJson {
  private static final int PIECE = 1 << 16;
  private static final String ESCAPES = "\"\\bfnrt";
  private static final String ESCAPED = "\"\\\b\f\n\r\t";

  private final Output out;
  private final StringBuilder text = new StringBuilder();

  private IndentedJson(Output out) {
    this.out = out;
  }

  /**
   * @param fields in their order; what is no JSON value is a list of some
   */
  static void write(Output out, Map<String, ? extends Iterable<JsonNode>> fields)
      throws IOException {
    IndentedJson json = new IndentedJson(out);
    json.object(fields.entrySet().iterator(), 1);
    json.flush();
  }

  private void object(
      Iterator<? extends Map.Entry<String, ? extends Iterable<JsonNode>>> fields, int level)
      throws IOException {
    boolean empty = !fields.hasNext();
    text.append('{');
    while (fields.hasNext()) {
      Map.Entry<String, ? extends Iterable<JsonNode>> field = fields.next();
      newLine(level);
      string(field.getKey());
      text.append(": ");
      value(field.getValue(), level);
      text.append(fields.hasNext() ? "," : "");
    }
    close('}', empty, level);
  }

  private void array(Iterator<JsonNode> items, int level) throws IOException {
    boolean empty = !items.hasNext();
    text.append('[');
    while (items.hasNext()) {
      newLine(level);
      value(items.next(), level);
      text.append(items.hasNext() ? "," : "");
    }
    close(']', empty, level);
  }

  private void value(Iterable<JsonNode> value, int level) throws IOException {
    if (value instanceof ObjectNode object) {
      object(object.fields(), level + 1);
    } else if (value instanceof JsonNode node && node.isValueNode()) {
      scalar(node);
    } else {
      array(value.iterator(), level + 1);
    }
    if (text.length() >= PIECE) {
      flush();
    }
  }

  private void scalar(JsonNode node) {
    if (node.isTextual()) {
      string(node.textValue());
    } else if (node.isFloatingPointNumber()) {
      double number = node.doubleValue();
      text.append(Double.isFinite(number) ? FloatText.python(number) : Double.toString(number));
    } else {
      text.append(node.asText());
    }
  }

  private void string(String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      int named = ESCAPED.indexOf(c);
      if (named >= 0) {
        text.append('\\').append(ESCAPES.charAt(named));
      } else if (c >= ' ' && c <= '~') {
        text.append(c);
      } else {
        text.append(String.format("\\u%04x", (int) c));
      }
    }
    text.append('"');
  }

  private void close(char bracket, boolean empty, int level) {
    if (!empty) {
      newLine(level - 1);
    }
    text.append(bracket);
  }

  private void newLine(int level) {
    text.append('\n').append("  ".repeat(level));
  }

  private void flush() throws IOException {
    out.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII)));
    text.setLength(0);
  }
}
