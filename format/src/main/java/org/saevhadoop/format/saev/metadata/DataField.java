package org.saevhadoop.format.saev.metadata;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration.Data;

/**
 * Representation of a JSON value in the data field of each generation: the value itself, its
 * compact text, or that text as a pickled str in Base64.
 */
final class DataField {
  /** The root path in the data of v1, quoted as by {@code repr}. */
  private static final Pattern ROOT = Pattern.compile("\\broot='([^'\\\\]*)'");

  /** The bytes that {@code pickle.dumps(text, protocol=2)} adds to the UTF-8 bytes of the text. */
  private static final byte[] PICKLE_HEAD = {(byte) 0x80, 2, 'X'};

  /** The first bytes of an object pickled with the default protocols of Python 3.8 and later. */
  private static final Pattern PICKLED_CLASS =
      Pattern.compile(
          "\\x80[\\x04\\x05](?:\\x95.{8})?\\x8c.([\\w.]+)\\x94\\x8c.([\\w.]+)\\x94\\x93",
          Pattern.DOTALL);

  private static final byte[] PICKLE_TAIL = {'q', 0, '.'};

  private DataField() {}

  /** Returns the representation of a JSON value in a data field. */
  static @Nullable Object represent(@Nullable Object value, Data kind) {
    String text = PythonJson.dumps(value, JsonStyle.VERBATIM);
    return switch (kind) {
      case OBJECT -> value;
      case TEXT -> text;
      case PICKLE -> Base64.getEncoder().encodeToString(pickle(text));
    };
  }

  /**
   * Returns the JSON object represented by text or by pickled text in Base64, or null if the value
   * does not represent one.
   */
  static @Nullable Object objectIn(String field, Data kind) {
    try {
      String text = kind == Data.TEXT ? field : unpickle(Base64.getDecoder().decode(field));
      if (text == null || !text.startsWith("{")) {
        return null;
      }
      Object object = PythonJson.parse("data", text.getBytes(StandardCharsets.UTF_8));
      return field.equals(represent(object, kind)) ? object : null;
    } catch (FormatException | IllegalArgumentException e) {
      // Not JSON or not Base64: the value is an ordinary one of the writer of its generation.
      return null;
    }
  }

  /**
   * Returns the value of a field for display. A pickle in Base64, whether in {@code data} or in
   * former data within it, is shown as its object if this program pickled it, and otherwise as its
   * class and size.
   */
  static @Nullable Object readable(String key, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> readable = new LinkedHashMap<>();
      map.forEach((name, item) -> readable.put((String) name, readable((String) name, item)));
      return readable;
    }
    boolean mayBePickle = key.equals("data") || key.equals("base64");
    return mayBePickle && value instanceof String text ? readablePickle(text) : value;
  }

  private static Object readablePickle(String field) {
    Object object = objectIn(field, Data.PICKLE);
    if (object != null) {
      return Objects.requireNonNull(readable("", object));
    }
    byte[] pickle;
    try {
      pickle = Base64.getDecoder().decode(field);
    } catch (IllegalArgumentException e) {
      return field; // a text, as in the generations before 2.1
    }
    if (pickle.length == 0 || pickle[0] != PICKLE_HEAD[0]) {
      return field;
    }
    Matcher found = PICKLED_CLASS.matcher(new String(pickle, StandardCharsets.ISO_8859_1));
    String name = found.lookingAt() ? found.group(1) + "." + found.group(2) + ", " : "";
    return Quote.sentence("<%s%d bytes pickled>", name, pickle.length);
  }

  private static byte[] pickle(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out =
        ByteBuffer.allocate(PICKLE_HEAD.length + Integer.BYTES + utf8.length + PICKLE_TAIL.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    return out.put(PICKLE_HEAD).putInt(utf8.length).put(utf8).put(PICKLE_TAIL).array();
  }

  /** Returns the text that {@link #pickle} wrote, or null for any other pickle. */
  private static @Nullable String unpickle(byte[] pickle) {
    int around = PICKLE_HEAD.length + Integer.BYTES;
    int length = pickle.length - around - PICKLE_TAIL.length;
    if (length < 0) {
      return null;
    }
    String text = new String(pickle, around, length, StandardCharsets.UTF_8);
    return Arrays.equals(pickle(text), pickle) ? text : null;
  }

  /**
   * Returns the location of the examples that data records, which is its root or its name, or
   * {@code .} if it records neither.
   */
  static String datasetIn(@Nullable Object data) {
    Object root = null;
    if (data instanceof Map<?, ?> map) {
      root = map.get(map.containsKey("root") ? "root" : "name");
    } else if (data instanceof String text) {
      Matcher found = ROOT.matcher(text);
      root = found.find() ? found.group(1) : null;
    }
    return root instanceof String path ? pathText(path) : ".";
  }

  /** Returns {@code str(pathlib.PurePosixPath(path))}. */
  private static String pathText(String path) {
    String rest =
        Arrays.stream(path.split("/"))
            .filter(part -> !part.isEmpty() && !part.equals("."))
            .collect(Collectors.joining("/"));
    // POSIX leaves the meaning of exactly two leading slashes implementation-defined; three or more
    // are equivalent to one.
    String root = path.startsWith("/") ? "/" : "";
    if (path.startsWith("//") && !path.startsWith("///")) {
      root = "//";
    }
    return (root + rest).isEmpty() ? "." : root + rest;
  }
}
