package org.saevhadoop.format.saev;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.Generation.Data;
import org.saevhadoop.format.saev.PythonJson.Style;

/**
 * From the fields of one generation to those of another, losing nothing (our own rule: saev has no
 * such way). What the target has no place for travels inside {@code data}, as an object {@code
 * {"repr" | "base64" | "data": the former data, fields without a place..., "__class__"}}. An object
 * is data of 1.0.0 to 2.0 as it is; in the string of v1 it is its compact JSON text, in the Base64
 * of 2.1 a pickled str of that text.
 */
final class Migration {
  /** The seed that v1 metadata has where its user gave none. */
  private static final JsonNumber DEFAULT_SEED = JsonNumber.of(42);

  private static final String CLASS = "__class__";

  /** Fields that not every generation has. */
  private static final Set<Field> MOVABLE =
      EnumSet.of(Field.WIDTH, Field.HEIGHT, Field.SEED, Field.DATASET, Field.PIXEL_AGG);

  /** The path in v1's data, as {@code repr} quotes it. */
  private static final Pattern ROOT = Pattern.compile("\\broot='([^'\\\\]*)'");

  /** What {@code pickle.dumps(text, protocol=2)} puts around the UTF-8 of a text. */
  private static final byte[] PICKLE_HEAD = {(byte) 0x80, 2, 'X'};

  private static final byte[] PICKLE_TAIL = {'q', 0, '.'};

  /** The key of the former data inside an object that carries it. */
  private static final Map<Data, String> CARRIED =
      Map.of(Data.TEXT, "repr", Data.PICKLE, "base64", Data.OBJECT, "data");

  /**
   * A data field, taken out of what carried it.
   *
   * @param kind what {@code value} is
   * @param carried fields that came with it, by key
   */
  private record Origin(Data kind, Object value, Map<String, Object> carried) {}

  private Migration() {}

  /** The fields in the target's names and order. */
  static Map<String, Object> migrate(SaevMetadata source, Generation target) {
    Origin origin = origin(source);
    Map<Field, Object> own = ownFields(source, origin);
    Map<String, Object> leftOver = new LinkedHashMap<>();
    boolean carry = origin.kind() != Data.OBJECT && origin.kind() != target.data();
    Map<String, Object> values = new LinkedHashMap<>();
    for (Field field : target.fields()) {
      Object standard = defaultOf(field, target, origin.value());
      Object value = own.containsKey(field) ? own.get(field) : standard;
      if (!isWritable(field, value, target)) {
        leftOver.put(field.plainKey(), value);
        carry = true;
        value = standard;
      }
      values.put(target.key(field, Map.of()), value);
    }
    for (Map.Entry<Field, Object> entry : own.entrySet()) {
      if (!target.fields().contains(entry.getKey())) {
        Object standard = defaultOf(entry.getKey(), source.generation(), origin.value());
        carry |= !same(entry.getValue(), standard);
        leftOver.put(entry.getKey().plainKey(), entry.getValue());
      }
    }
    Object data = carry ? envelope(origin, leftOver) : origin.value();
    boolean direct = !carry && origin.kind() == target.data();
    values.put("data", direct ? data : represent(data, target.data()));
    return values;
  }

  /** What a generation's own writer, or we, put into a field that nothing is known of. */
  static Object defaultOf(Field field, Generation generation, Object data) {
    return switch (field) {
      case FAMILY -> "clip"; // all that open_clip loaded, before there was a choice
      case CLS_TOKEN -> true;
      case SEED -> DEFAULT_SEED;
      case DATASET -> dataset(data, generation);
      // the default of 2.1's writer; before, null
      case PIXEL_AGG -> generation == Generation.V2_1 ? "majority" : null;
      case DTYPE -> "float32";
      case PROTOCOL -> generation.label();
      default -> null;
    };
  }

  /** A JSON value as a data field holds it. */
  static Object represent(Object value, Data kind) {
    String text = PythonJson.dumps(value, Style.VERBATIM);
    return switch (kind) {
      case OBJECT -> value;
      case TEXT -> text;
      case PICKLE -> Base64.getEncoder().encodeToString(pickle(text));
    };
  }

  /** The fields of the source with what its data carried, but for data itself. */
  private static Map<Field, Object> ownFields(SaevMetadata source, Origin origin) {
    Map<Field, Object> own = new LinkedHashMap<>();
    for (Field field : source.generation().fields()) {
      if (source.has(field) && (MOVABLE.contains(field) || Field.COMMON.contains(field))) {
        own.put(field, source.value(field));
      }
    }
    own.remove(Field.DATA);
    if (source.key(Field.LAYERS).equals("n_layers")) {
      own.put(Field.LAYERS, source.geometry().layers().stream().map(JsonNumber::of).toList());
    }
    for (Field field : MOVABLE) {
      if (origin.carried().containsKey(field.plainKey())) {
        own.put(field, origin.carried().get(field.plainKey()));
      }
    }
    return own;
  }

  private static boolean isWritable(Field field, Object value, Generation target) {
    return switch (field) {
      case PIXEL_AGG -> value != null || target != Generation.V2_1;
      case DATASET -> !isOrjson(target) || value instanceof String s && PythonJson.isUnicode(s);
      default -> true;
    };
  }

  private static Map<String, Object> envelope(Origin origin, Map<String, Object> leftOver) {
    Map<String, Object> envelope = new LinkedHashMap<>();
    envelope.put(CARRIED.get(origin.kind()), origin.value());
    envelope.putAll(leftOver);
    envelope.put(CLASS, className(origin));
    return envelope;
  }

  private static String className(Origin origin) {
    if (origin.kind() == Data.TEXT && origin.value() instanceof String repr) {
      return repr.substring(0, Math.max(0, repr.indexOf('(')));
    }
    return origin.value() instanceof Map<?, ?> data && data.get(CLASS) instanceof String name
        ? name
        : "";
  }

  private static Origin origin(SaevMetadata source) {
    Object field = source.value(Field.DATA);
    if (!(field instanceof String text)) {
      return unwrapped(field);
    }
    // the first commits of 1.0.0 still had v1's text
    Data kind = source.generation().data() == Data.PICKLE ? Data.PICKLE : Data.TEXT;
    Object object = objectIn(text, kind);
    return object == null ? new Origin(kind, text, Map.of()) : unwrapped(object);
  }

  private static Origin unwrapped(Object object) {
    if (object instanceof Map<?, ?> map) {
      for (Map.Entry<Data, String> form : CARRIED.entrySet()) {
        Map<String, Object> carried = new LinkedHashMap<>();
        map.forEach((key, value) -> carried.put((String) key, value));
        Object value = carried.remove(form.getValue());
        Object name = carried.remove(CLASS);
        Origin origin = new Origin(form.getKey(), value, carried);
        boolean known =
            carried.keySet().stream()
                .allMatch(key -> MOVABLE.stream().anyMatch(f -> f.plainKey().equals(key)));
        if (map.containsKey(form.getValue()) && known && className(origin).equals(name)) {
          return origin;
        }
      }
    }
    return new Origin(Data.OBJECT, object, Map.of());
  }

  /** The JSON object that a text, or the pickled text in Base64, is; null where it is none. */
  private static Object objectIn(String field, Data kind) {
    try {
      String text = kind == Data.TEXT ? field : unpickle(Base64.getDecoder().decode(field));
      if (text == null || !text.startsWith("{")) {
        return null;
      }
      Object object = PythonJson.parse("data", text.getBytes(StandardCharsets.UTF_8));
      return PythonJson.dumps(object, Style.VERBATIM).equals(text) ? object : null;
    } catch (FormatException | IllegalArgumentException e) {
      // no JSON, or no Base64: then it is what the writer of its generation put there
      return null;
    }
  }

  private static byte[] pickle(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out =
        ByteBuffer.allocate(PICKLE_HEAD.length + Integer.BYTES + utf8.length + PICKLE_TAIL.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    return out.put(PICKLE_HEAD).putInt(utf8.length).put(utf8).put(PICKLE_TAIL).array();
  }

  /** The text that {@link #pickle} wrote; null for any other pickle. */
  private static String unpickle(byte[] pickle) {
    int around = PICKLE_HEAD.length + Integer.BYTES;
    int length = pickle.length - around - PICKLE_TAIL.length;
    if (length < 0) {
      return null;
    }
    String text = new String(pickle, around, length, StandardCharsets.UTF_8);
    return Arrays.equals(pickle(text), pickle) ? text : null;
  }

  /** Where the examples lie, as far as data tells: its root, or the set's name. */
  private static String dataset(Object data, Generation generation) {
    Object root = null;
    if (data instanceof Map<?, ?> map) {
      root = map.get(map.containsKey("root") ? "root" : "name");
    } else if (data instanceof String text) {
      Matcher found = ROOT.matcher(text);
      root = found.find() ? found.group(1) : null;
    }
    boolean usable =
        root instanceof String path && (!isOrjson(generation) || PythonJson.isUnicode(path));
    return usable ? pathText((String) root) : ".";
  }

  /** {@code str(pathlib.PurePosixPath(path))}. */
  private static String pathText(String path) {
    String rest =
        Arrays.stream(path.split("/"))
            .filter(part -> !part.isEmpty() && !part.equals("."))
            .collect(Collectors.joining("/"));
    // POSIX leaves the meaning of two slashes at the start open, three are one
    String root = path.startsWith("/") ? "/" : "";
    if (path.startsWith("//") && !path.startsWith("///")) {
      root = "//";
    }
    return (root + rest).isEmpty() ? "." : root + rest;
  }

  private static boolean isOrjson(Generation generation) {
    return generation.hashRules().get(0).fileStyle() == Style.ORJSON_FILE;
  }

  private static boolean same(Object a, Object b) {
    return PythonJson.dumps(a, Style.COMPACT).equals(PythonJson.dumps(b, Style.COMPACT));
  }
}
