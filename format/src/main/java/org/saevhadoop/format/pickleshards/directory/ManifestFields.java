package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickleshards.directory.ManifestEntry.IdRange;

/**
 * Typed access to the fields of a JSON object. Absent fields and JSON nulls are returned as null;
 * another type is reported as BAD_METADATA.
 *
 * @param path the path of the document for error messages
 * @param where the description of the object before the field name in messages, such as {@code
 *     "shard 3: "}
 * @param values the JSON object
 */
record ManifestFields(String path, String where, ObjectNode values) {
  private static final Pattern LAYER = Pattern.compile("(?:layer_)?(-?\\d{1,9})");
  private static final int SHOWN = 60;

  /** Six characters for each character if all are escaped. */
  private static final int MAX_SHOWN = 6 * SHOWN;

  String text(String key) throws FormatException {
    JsonNode value = value(key);
    check(value == null || value.isTextual(), key, "a string");
    return value == null ? null : value.textValue();
  }

  Boolean flag(String key) throws FormatException {
    JsonNode value = value(key);
    check(value == null || value.isBoolean(), key, "true or false");
    return value == null ? null : value.booleanValue();
  }

  Double number(String key) throws FormatException {
    JsonNode value = value(key);
    check(value == null || value.isNumber(), key, "a number");
    return value == null ? null : value.doubleValue();
  }

  Long count(String key) throws FormatException {
    JsonNode value = value(key);
    check(value == null || isCount(value), key, "a count");
    return value == null ? null : value.longValue();
  }

  /** Returns an integer like {@link #count}, which may be negative. */
  Long id(String key) throws FormatException {
    JsonNode value = value(key);
    check(value == null || isLong(value), key, "a sample id");
    return value == null ? null : value.longValue();
  }

  /** Checks that all fields are present and not null. */
  void require(String... keys) throws FormatException {
    for (String key : keys) {
      check(value(key) != null, key, "a value");
    }
  }

  ObjectNode object(String key) throws FormatException {
    JsonNode value = value(key);
    check(value == null || value.isObject(), key, "an object");
    return (ObjectNode) value;
  }

  /** Returns layers given as numbers or as keys of a shard. */
  List<Integer> layers(String key) throws FormatException {
    JsonNode value = value(key);
    check(value == null || value.isArray(), key, "a list of layers");
    if (value == null) {
      return null;
    }
    List<Integer> layers = new ArrayList<>(value.size());
    for (JsonNode item : value) {
      boolean isNumber = item.isIntegralNumber() && item.canConvertToInt();
      layers.add(isNumber ? (Integer) item.intValue() : layer(key, item.textValue()));
    }
    return List.copyOf(layers);
  }

  SortedMap<Integer, Long> countsOfLayers(String key) throws FormatException {
    ObjectNode value = object(key);
    if (value == null) {
      return null;
    }
    SortedMap<Integer, Long> counts = new TreeMap<>();
    for (Iterator<String> names = value.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      JsonNode count = value.get(name);
      check(isCount(count), key, "a count for each layer");
      Long before = counts.put(layer(key, name), count.longValue());
      check(before == null, key, "each layer once");
    }
    return counts;
  }

  /**
   * Returns the minimum and maximum id; null for an empty list, which stands for a shard without
   * samples.
   */
  IdRange ids(String key) throws FormatException {
    JsonNode value = value(key);
    if (value == null || value.isArray() && value.isEmpty()) {
      return null;
    }
    check(value.isArray() && value.size() == 2, key, "two sample ids");
    for (JsonNode id : value) {
      check(isLong(id), key, "two sample ids");
    }
    IdRange range = new IdRange(value.get(0).longValue(), value.get(1).longValue());
    check(range.least() <= range.greatest(), key, "the smallest sample id first");
    return range;
  }

  void check(boolean holds, String key, String expected) throws FormatException {
    if (!holds) {
      throw PickleError.BAD_METADATA.in(
          path, "%s%s is %s (expected %s)", where, key, show(values.path(key)), expected);
    }
  }

  /** Returns a value as JSON on one line without control characters, truncated if it is long. */
  static String show(JsonNode value) {
    if (value.isMissingNode()) {
      return "missing";
    }
    if (value.isTextual()) {
      return '"' + Quote.show(value.textValue(), SHOWN) + '"';
    }
    String text = value.isContainerNode() && value.size() > SHOWN ? "long" : value.toString();
    return Quote.show(text, MAX_SHOWN);
  }

  private JsonNode value(String key) {
    JsonNode value = values.get(key);
    return value == null || value.isNull() ? null : value;
  }

  private static boolean isCount(JsonNode value) {
    return isLong(value) && value.longValue() >= 0;
  }

  private static boolean isLong(JsonNode value) {
    return value.isIntegralNumber() && value.canConvertToLong();
  }

  private int layer(String key, String text) throws FormatException {
    Matcher matcher = LAYER.matcher(text == null ? "" : text);
    check(matcher.matches(), key, "layers, each a number or a string such as \"layer_15\"");
    return Integer.parseInt(matcher.group(1));
  }
}
