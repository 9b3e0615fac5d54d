package org.saevhadoop.format.json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonStyle.KeyOrder;

/**
 * JSON exactly as CPython's {@code json} module reads and writes it, and as orjson writes it: the
 * hash of a dataset is the hash of their output, so every byte matters.
 *
 * <p>A value is a {@code LinkedHashMap<String, Object>}, an {@code ArrayList<Object>}, a {@code
 * String}, a {@link JsonNumber}, a {@code Boolean} or null. A string may hold lone surrogates:
 * Python keeps them, for example in a path with undecodable bytes. Adjacent escapes of a high and a
 * low surrogate represent one character.
 */
public final class PythonJson {
  /** Deeper documents are rejected; Python itself fails at about 1000 levels. */
  public static final int MAX_DEPTH = 500;

  private PythonJson() {}

  /**
   * Reads a document as {@code json.load} reads a file opened as UTF-8. If a key occurs twice, its
   * last value takes the position of the first, as in a Python dict.
   *
   * @param path the file's name, for messages
   * @throws FormatException if the text is not JSON; the error contains the byte position
   */
  public static @Nullable Object parse(String path, byte[] utf8) throws FormatException {
    return PythonJsonReader.read(path, utf8);
  }

  @FunctionalInterface
  public interface ItemSink {
    void accept(@Nullable Object item) throws FormatException;
  }

  /**
   * Reads a document that is a list in the same way as {@link #parse}, but passes its items to a
   * sink one by one, because the items of a long list need many times as much memory as its text.
   *
   * @throws FormatException if the document is malformed or is not a list
   */
  public static void forEachItem(String path, byte[] utf8, ItemSink sink) throws FormatException {
    PythonJsonReader.readItems(path, utf8, sink);
  }

  /**
   * Reads text as {@link #parse} does, but spells numbers as Python would write them, for text
   * whose spelling does not affect a hash.
   */
  public static @Nullable Object parseAnew(String path, byte[] utf8) throws FormatException {
    String canonical = dumps(parse(path, utf8), JsonStyle.COMPACT);
    return parse(path, canonical.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Writes a value, without a final newline.
   *
   * @throws IllegalArgumentException if the value has more than {@link #MAX_DEPTH} levels, or
   *     contains an object that is not a JSON value
   */
  public static String dumps(@Nullable Object value, JsonStyle style) {
    StringBuilder out = new StringBuilder();
    try {
      write(value, 0, style, new JsonTextWriter(out, style));
    } catch (IOException e) {
      throw new UncheckedIOException("a StringBuilder does not fail", e);
    }
    return out.toString();
  }

  private static void write(@Nullable Object value, int depth, JsonStyle style, JsonTextWriter out)
      throws IOException {
    if (value instanceof Map<?, ?> members) {
      checkDepth(depth + 1);
      out.beginObject();
      for (String key : keys(members, depth + 1, style.keyOrder())) {
        out.name(key);
        write(members.get(key), depth + 1, style, out);
      }
      out.endObject();
    } else if (value instanceof List<?> items) {
      checkDepth(depth + 1);
      out.beginArray();
      for (Object item : items) {
        write(item, depth + 1, style, out);
      }
      out.endArray();
    } else if (value instanceof String string) {
      out.string(string);
    } else if (value instanceof JsonNumber number) {
      out.number(number);
    } else if (value == null || value instanceof Boolean) {
      out.literal(String.valueOf(value));
    } else {
      throw new IllegalArgumentException("not a JSON value: " + value.getClass());
    }
  }

  private static List<String> keys(Map<?, ?> members, int depth, KeyOrder order) {
    List<String> keys = new ArrayList<>(members.size());
    members.keySet().forEach(key -> keys.add((String) key));
    if (order == KeyOrder.SORTED || order == KeyOrder.NESTED_SORTED && depth > 1) {
      keys.sort(CodePointOrder::compare);
    }
    return keys;
  }

  private static void checkDepth(int depth) {
    if (depth > MAX_DEPTH) {
      throw new IllegalArgumentException("nested deeper than " + MAX_DEPTH + " levels");
    }
  }

  /**
   * Returns whether a string can be written as UTF-8, that is, whether it has no lone surrogates.
   */
  public static boolean isUnicode(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  /** Returns the number of nested levels of lists and objects, including the value itself. */
  public static int depth(@Nullable Object value) {
    int deepest = 0;
    if (value instanceof Map || value instanceof List) {
      Collection<?> items = value instanceof Map<?, ?> map ? map.values() : (List<?>) value;
      for (Object item : items) {
        deepest = Math.max(deepest, depth(item));
      }
      deepest++;
    }
    return deepest;
  }
}
