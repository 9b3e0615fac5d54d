package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickleshards.directory.ManifestEntry.IdRange;

/**
 * Typed access to the fields of a JSON object. Absent fields and JSON nulls are returned as null;
 * values of another type are reported as BAD_METADATA.
 *
 * @param where the description of the object, which precedes the field name in messages, such as
 *     {@code "shard 3: "}
 */
record ManifestFields(String path, String where, ObjectNode values) {
  private static final Pattern LAYER = Pattern.compile("(?:layer_)?(-?\\d{1,9})");
  private static final int SHOWN = 60;

  /** Maximum length of a shown value if each of its characters is escaped to six characters. */
  private static final int MAX_SHOWN = 6 * SHOWN;

  @Nullable String text(String key) throws FormatException {
    return get(key, "a string", JsonNode::isTextual, JsonNode::textValue);
  }

  @Nullable Boolean flag(String key) throws FormatException {
    return get(key, "true or false", JsonNode::isBoolean, JsonNode::booleanValue);
  }

  @Nullable Double number(String key) throws FormatException {
    return get(key, "a number", JsonNode::isNumber, JsonNode::doubleValue);
  }

  @Nullable Long count(String key) throws FormatException {
    return get(key, "a count", ManifestFields::isCount, JsonNode::longValue);
  }

  @Nullable ObjectNode object(String key) throws FormatException {
    return get(key, "an object", JsonNode::isObject, ObjectNode.class::cast);
  }

  private <T> @Nullable T get(
      String key, String expected, Predicate<JsonNode> type, Function<JsonNode, T> content)
      throws FormatException {
    JsonNode value = values.get(key);
    if (value == null || value.isNull()) {
      return null;
    }
    check(type.test(value), key, expected);
    return content.apply(value);
  }

  /** Returns layers given as numbers or as keys of a shard. */
  @Nullable List<Integer> layers(String key) throws FormatException {
    ArrayNode value = get(key, "a list of layers", JsonNode::isArray, ArrayNode.class::cast);
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

  @Nullable SortedMap<Integer, Long> countsOfLayers(String key) throws FormatException {
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
   * Returns the minimum and maximum id; null for an empty list, which denotes a shard without
   * samples.
   */
  @Nullable IdRange ids(String key) throws FormatException {
    ArrayNode value = get(key, "two sample ids", JsonNode::isArray, ArrayNode.class::cast);
    if (value == null || value.isEmpty()) {
      return null;
    }
    check(value.size() == 2 && isLong(value.get(0)) && isLong(value.get(1)), key, "two sample ids");
    IdRange range = new IdRange(value.get(0).longValue(), value.get(1).longValue());
    check(range.least() <= range.greatest(), key, "the smaller sample id first");
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

  private static boolean isCount(JsonNode value) {
    return isLong(value) && value.longValue() >= 0;
  }

  private static boolean isLong(JsonNode value) {
    return value.isIntegralNumber() && value.canConvertToLong();
  }

  private int layer(String key, @Nullable String text) throws FormatException {
    Matcher matcher = LAYER.matcher(text == null ? "" : text);
    check(matcher.matches(), key, "layers, each a number or a string such as \"layer_15\"");
    return Integer.parseInt(matcher.group(1));
  }
}
