package org.saevhadoop.format.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import org.saevhadoop.format.io.Output;

/**
 * Writes Jackson trees in the same way as {@code json.dump(document, file, indent=2)}, without a
 * final newline. The writer never holds the whole document: items of a list may be supplied while
 * the list is written.
 */
public final class JsonNodeWriter {
  private static final int PIECE = 1 << 16;

  private final Output out;
  private final StringBuilder text = new StringBuilder();
  private final JsonTextWriter json = new JsonTextWriter(text, JsonStyle.indented(2));

  private JsonNodeWriter(Output out) {
    this.out = out;
  }

  /**
   * Writes an object.
   *
   * @param fields the fields in their order; a value that is not a JsonNode is a list of nodes
   */
  public static void write(Output out, Map<String, ? extends Iterable<JsonNode>> fields)
      throws IOException {
    JsonNodeWriter writer = new JsonNodeWriter(out);
    writer.object(fields.keySet().iterator(), fields::get);
    writer.flush();
  }

  private void object(Iterator<String> names, Function<String, ? extends Iterable<JsonNode>> values)
      throws IOException {
    json.beginObject();
    while (names.hasNext()) {
      String name = names.next();
      json.name(name);
      value(values.apply(name));
    }
    json.endObject();
  }

  private void value(Iterable<JsonNode> value) throws IOException {
    if (value instanceof ObjectNode object) {
      object(object.fieldNames(), object::get);
    } else if (value instanceof JsonNode node && node.isValueNode()) {
      scalar(node);
    } else {
      json.beginArray();
      for (JsonNode item : value) {
        value(item);
      }
      json.endArray();
    }
    if (text.length() >= PIECE) {
      flush();
    }
  }

  private void scalar(JsonNode node) throws IOException {
    if (node.isTextual()) {
      json.string(node.textValue());
    } else if (node.isFloatingPointNumber()) {
      json.literal(JsonNumber.python(node.doubleValue()));
    } else {
      json.literal(node.asText());
    }
  }

  private void flush() throws IOException {
    out.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII)));
    text.setLength(0);
  }
}
