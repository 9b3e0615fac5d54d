package org.saevhadoop.format.saev.metadata;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/** Typed access to the fields of a JSON object, with an error that names the field. */
public record JsonFields(String path, Map<String, Object> values) {
  /** Maximum number of layers, which is more than any model has. */
  private static final int MAX_LAST_LAYERS = 100_000;

  /** Maximum length of a value in a message, in characters. */
  private static final int MAX_SHOWN = 60;

  void require(String key, String generation) throws FormatException {
    SaevError.MISSING_FIELD.check(
        values.containsKey(key),
        path,
        "field %s is missing (expected in SAEV metadata %s)",
        key,
        generation);
  }

  boolean bool(String key) throws FormatException {
    if (values.get(key) instanceof Boolean value) {
      return value;
    }
    throw wrong(key, "true or false");
  }

  public String string(String key) throws FormatException {
    if (values.get(key) instanceof String value) {
      return value;
    }
    throw wrong(key, "a string");
  }

  public long integer(String key, long least, long most) throws FormatException {
    if (values.get(key) instanceof JsonNumber number && number.isInteger()) {
      try {
        long value = number.longValueExact();
        if (value >= least && value <= most) {
          return value;
        }
      } catch (ArithmeticException e) {
        throw wrong(key, "an integer from " + least + " to " + most).causedBy(e);
      }
    }
    throw wrong(key, "an integer from " + least + " to " + most);
  }

  List<Integer> layers(String key) throws FormatException {
    if (!(values.get(key) instanceof List<?> list) || list.isEmpty()) {
      throw wrong(key, "a list of integers");
    }
    List<Integer> layers = new ArrayList<>(list.size());
    for (Object item : list) {
      JsonFields element = new JsonFields(path, Map.of(key, item == null ? "null" : item));
      layers.add((int) element.integer(key, Integer.MIN_VALUE + 1, Integer.MAX_VALUE));
    }
    return layers;
  }

  /** Returns the last {@code n} layers, for the first generations, which record only {@code n}. */
  List<Integer> lastLayers(String key) throws FormatException {
    int n = (int) integer(key, 1, MAX_LAST_LAYERS);
    return IntStream.rangeClosed(-n, -1).boxed().toList();
  }

  private FormatException wrong(String key, String expected) {
    String found = PythonJson.dumps(values.get(key), JsonStyle.COMPACT);
    return SaevError.BAD_FIELD.in(
        path, "field %s is %s (expected %s)", key, Quote.show(found, MAX_SHOWN), expected);
  }
}
