package org.saevhadoop.format.pickle.value;

import java.math.BigInteger;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonTextScanner;
import org.saevhadoop.format.numpy.header.NumpyType;

/** Parses a line in the format of {@link PyJson}. */
final class PyJsonParser extends JsonTextScanner {
  /** Maximum number of decimal digits of an integer; longer integers are in hexadecimal. */
  private static final int MAX_DIGITS = 10_000;

  /** Any integer of at most this many characters fits in a {@code long}. */
  private static final int LONG_CHARS = 18;

  private static final Pattern HEX_FLOAT =
      Pattern.compile("-?0x[01]\\.[0-9a-f]{1,13}p[-+][0-9]{1,4}");

  private static final Pattern NAN = Pattern.compile(PyJson.NAN + ":([0-9a-f]{16})");
  private static final Pattern INT = Pattern.compile("(-?)(0x)?([0-9a-f]{1,131072})");

  private static final int HEX = 16;

  private final String path;

  PyJsonParser(String path, String text) {
    super(text, true);
    this.path = path;
  }

  @Nullable Object document() throws FormatException {
    Object value = value(0);
    if (peek() != END) {
      throw expected("the end of the line");
    }
    return value;
  }

  @Override
  protected FormatException error(int at, String expected) {
    return PickleError.BAD_METADATA.in(
        path, "not a value in JSON form, at character %d (expected %s)", at, expected);
  }

  @Override
  protected FormatException badEscape(int start) {
    boolean digits = text().startsWith("u", start) && start + 4 < text().length();
    return error(start, digits ? "four hexadecimal digits" : "an escape");
  }

  private @Nullable Object value(int depth) throws FormatException {
    if (depth > PickleLimits.DEFAULT.depth()) {
      throw expected("at most " + PickleLimits.DEFAULT.depth() + " levels");
    }
    return switch (peek()) {
      case '{' -> object(depth + 1);
      case '[' -> list(items(depth + 1));
      case '"' -> string();
      case 't' -> word("true", Boolean.TRUE);
      case 'f' -> word("false", Boolean.FALSE);
      case 'n' -> word("null", null);
      default -> numberValue();
    };
  }

  private Object numberValue() throws FormatException {
    int start = position();
    JsonNumber number = number();
    String digits = number.text();
    if (!number.isInteger()) {
      double value = Double.parseDouble(digits);
      if (Double.isInfinite(value)) {
        throw error(start, "a finite float");
      }
      return value;
    }
    if (digits.length() > MAX_DIGITS) {
      throw error(start, "an integer of at most " + MAX_DIGITS + " digits");
    }
    return digits.length() <= LONG_CHARS
        ? (Object) Long.valueOf(digits)
        : PyNumbers.integer(new BigInteger(digits));
  }

  private Object object(int depth) throws FormatException {
    take('{');
    PythonValue.Dict dict = new PythonValue.Dict(PythonValue.Dict.Kind.DICT);
    if (takeIf('}')) {
      return dict;
    }
    Set<String> keys = new HashSet<>();
    do {
      int start = position();
      String key = string();
      take(':');
      if (key.startsWith("$")) {
        if (!keys.isEmpty()) {
          throw error(start, "no key with a dollar sign after others");
        }
        Object value = special(key, depth, start);
        take('}');
        return value;
      }
      if (!keys.add(key)) {
        throw error(start, "a key that does not occur before");
      }
      dict.append(key, value(depth));
    } while (takeIf(','));
    take('}');
    return dict;
  }

  private Object special(String key, int depth, int start) throws FormatException {
    return switch (key) {
      case PyJson.TUPLE -> new PythonValue.Tuple(items(depth));
      case PyJson.SET -> new PythonValue.PySet(false, hashable(items(depth)));
      case PyJson.FROZENSET -> new PythonValue.PySet(true, hashable(items(depth)));
      case PyJson.DICT -> dict(PythonValue.Dict.Kind.DICT, depth);
      case PyJson.ORDERED_DICT -> dict(PythonValue.Dict.Kind.ORDERED_DICT, depth);
      case PyJson.DEFAULT_DICT -> dict(PythonValue.Dict.Kind.DEFAULT_DICT, depth);
      case PyJson.TEXT -> text(halves());
      case PyJson.BYTES -> new PythonValue.Bytes(PayloadData.of(hex()));
      case PyJson.BYTEARRAY -> new PythonValue.ByteArray(PayloadData.of(hex()));
      case PyJson.INT -> bigInteger();
      case PyJson.FLOAT -> specialFloat();
      case PyJson.TYPE -> type();
      case PyJson.SCALAR -> scalar(depth);
      case PyJson.ARRAY -> array();
      default -> throw error(start, "a known name after a dollar sign");
    };
  }

  private List<Object> items(int depth) throws FormatException {
    take('[');
    List<Object> items = new ArrayList<>();
    if (takeIf(']')) {
      return items;
    }
    do {
      items.add(value(depth));
    } while (takeIf(','));
    take(']');
    return items;
  }

  private static PythonValue.PyList list(List<Object> items) {
    PythonValue.PyList list = new PythonValue.PyList();
    items.forEach(list::add);
    return list;
  }

  private List<Object> hashable(List<Object> items) throws FormatException {
    for (Object item : items) {
      if (!isHashable(item)) {
        throw error(position(), "items that Python can hash");
      }
    }
    return items;
  }

  private static boolean isHashable(Object value) {
    if (value instanceof PythonValue.Tuple tuple) {
      return tuple.items().stream().allMatch(PyJsonParser::isHashable);
    }
    return !(value instanceof PythonValue.PyList
        || value instanceof PythonValue.Dict
        || value instanceof PythonValue.ByteArray
        || value instanceof PythonValue.NumpyArray
        || value instanceof PythonValue.PySet set && !set.frozen());
  }

  private PythonValue.Dict dict(PythonValue.Dict.Kind kind, int depth) throws FormatException {
    PythonValue.Dict dict = new PythonValue.Dict(kind);
    take('[');
    if (takeIf(']')) {
      return dict;
    }
    do {
      take('[');
      Object key = value(depth);
      hashable(Collections.singletonList(key));
      take(',');
      dict.append(key, value(depth));
      take(']');
    } while (takeIf(','));
    take(']');
    return dict;
  }

  private static PythonValue.Text text(byte[] utf8) {
    return new PythonValue.Text(new PayloadData(utf8, 0, utf8.length, PayloadData.Form.UTF8));
  }

  private byte[] halves() throws FormatException {
    int start = position();
    byte[] utf8 = hex();
    try {
      if (SurrogatePass.decode(utf8).isEmpty()) {
        return utf8;
      }
    } catch (CharacterCodingException e) {
      throw error(start, "a string in UTF-8").causedBy(e);
    }
    throw error(start, "a string that JSON cannot represent");
  }

  private byte[] hex() throws FormatException {
    return decoded(HexFormat.of()::parseHex, "hexadecimal digits, two per byte");
  }

  private byte[] decoded(Function<String, byte[]> decoder, String expected) throws FormatException {
    int start = position();
    try {
      return decoder.apply(string());
    } catch (IllegalArgumentException e) {
      throw error(start, expected).causedBy(e);
    }
  }

  private Object bigInteger() throws FormatException {
    int start = position();
    Matcher digits = INT.matcher(string());
    boolean hex = digits.matches() && digits.group(2) != null;
    boolean decimal =
        digits.matches()
            && !hex
            && digits.group(3).length() <= MAX_DIGITS
            && digits.group(3).chars().allMatch(c -> c <= '9');
    if (!hex && !decimal) {
      throw error(start, "an integer");
    }
    return PyNumbers.integer(new BigInteger(digits.group(1) + digits.group(3), hex ? HEX : 10));
  }

  private double specialFloat() throws FormatException {
    int start = position();
    String name = string();
    if (name.equals(PyJson.NAN)) {
      return Double.longBitsToDouble(PyJson.NAN_BITS);
    }
    if (name.equals(PyJson.INFINITY) || name.equals("-" + PyJson.INFINITY)) {
      return name.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    if (HEX_FLOAT.matcher(name).matches()) {
      return Double.parseDouble(name);
    }
    Matcher nan = NAN.matcher(name);
    double value =
        nan.matches() ? Double.longBitsToDouble(Long.parseUnsignedLong(nan.group(1), HEX)) : 0;
    if (!Double.isNaN(value)) {
      throw error(start, "a float");
    }
    return value;
  }

  private NumpyType type() throws FormatException {
    int start = position();
    String name = string();
    return NumpyType.named(name).orElseThrow(() -> error(start, "the name of a numpy type"));
  }

  private PythonValue.NumpyScalar scalar(int depth) throws FormatException {
    take('[');
    NumpyType type = type();
    take(',');
    int start = position();
    byte[] bytes = type.bigEndian() ? null : ScalarValue.bytes(type, value(depth));
    if (bytes == null) {
      throw error(start, "a value of the preceding type");
    }
    take(']');
    return new PythonValue.NumpyScalar(type, bytes);
  }

  private PythonValue.NumpyArray array() throws FormatException {
    take('{');
    name("dtype");
    final NumpyType type = type();
    take(',');
    name("shape");
    final int start = position();
    final List<Object> sizes = items(0);
    take(',');
    name("data");
    final byte[] bytes = decoded(Base64.getDecoder()::decode, "base64");
    take('}');
    long[] shape = new long[sizes.size()];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = sizes.get(i) instanceof Long size ? size : -1;
    }
    boolean holds =
        shape.length <= PickleLimits.DEFAULT.dimensions()
            && bytes.length == PythonValue.NumpyArray.bytes(type, shape);
    if (!holds) {
      throw error(start, "a shape that matches the array's type and data");
    }
    PythonValue.NumpyArray array = new PythonValue.NumpyArray();
    array.build(type, shape, false, PayloadData.of(bytes));
    return array;
  }

  private void name(String name) throws FormatException {
    int start = position();
    if (!string().equals(name)) {
      throw error(start, "\"" + name + "\"");
    }
    take(':');
  }
}
