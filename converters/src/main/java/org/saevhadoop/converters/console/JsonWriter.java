package org.saevhadoop.converters.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.DType;

/**
 * Writes results as JSON: records as objects with their {@link RecordFields}, words of enums in
 * lower case, and types by their numpy names.
 */
public final class JsonWriter {
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private static final int LAST_ASCII = 0x7f;

  private JsonWriter() {}

  /** Returns a generator of ASCII on several lines, which leaves its target open. */
  public static JsonGenerator lines(Writer out) throws IOException {
    return generator(out, LAST_ASCII).setPrettyPrinter(new DefaultPrettyPrinter());
  }

  // lone surrogates, as in a path that is not valid UTF-8, survive only as escapes
  private static JsonGenerator generator(Writer out, int lastCharacter) throws IOException {
    return FACTORY.createGenerator(out).setHighestNonEscapedChar(lastCharacter);
  }

  /** Returns a value on one line, in ASCII. */
  static String line(Object value) {
    return line(value, LAST_ASCII);
  }

  /** Returns a value on one line, for use in text. */
  public static String text(@Nullable Object value) {
    return line(value, 0);
  }

  private static String line(@Nullable Object value, int lastCharacter) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = generator(line, lastCharacter)) {
      write(value, json);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // of a writer in memory
    }
    return line.toString();
  }

  /** Writes fields of the current object. */
  public static void writeFields(Map<?, ?> fields, JsonGenerator json) throws IOException {
    for (Map.Entry<?, ?> field : fields.entrySet()) {
      json.writeFieldName(String.valueOf(field.getKey()));
      write(field.getValue(), json);
    }
  }

  static void writeObject(Map<?, ?> fields, JsonGenerator json) throws IOException {
    json.writeStartObject();
    writeFields(fields, json);
    json.writeEndObject();
  }

  /** Writes a value: null, a string, a number, a record, a list, an array or a map of values. */
  public static void write(@Nullable Object value, JsonGenerator json) throws IOException {
    if (value instanceof Record record) {
      writeObject(RecordFields.of(record), json);
    } else if (value instanceof Map<?, ?> fields) {
      Map<?, ?> known = new LinkedHashMap<>(fields);
      known.values().removeIf(RecordFields::isNotFinite);
      writeObject(known, json);
    } else if (value instanceof Iterable<?> items) {
      json.writeStartArray();
      for (Object item : items) {
        write(item, json);
      }
      json.writeEndArray();
    } else if (value instanceof double[] numbers) {
      json.writeArray(numbers, 0, numbers.length);
    } else if (value instanceof Float || value instanceof Double) {
      json.writeNumber(Double.parseDouble(value.toString())); // a text if it is not finite
    } else if (value instanceof Number || value instanceof Boolean || value == null) {
      json.writeRawValue(String.valueOf(value));
    } else if (value instanceof DType type) {
      json.writeString(type.numpyName());
    } else if (value instanceof Enum<?> word) {
      json.writeString(word.name().toLowerCase(Locale.ROOT));
    } else {
      json.writeString(value.toString());
    }
  }
}
