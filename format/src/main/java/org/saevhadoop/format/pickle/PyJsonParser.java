package org.saevhadoop.format.pickle;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.format.io.FormatException;

/** Reads the line of {@link PyJson}. */
final class PyJsonParser extends PyJsonScanner {
  private static final Pattern HEX_FLOAT =
      Pattern.compile("-?0x[01]\\.[0-9a-f]{1,13}p[-+][0-9]{1,4}");

  private static final Pattern NAN = Pattern.compile(PyJson.NAN + ":([0-9a-f]{16})");
  private static final Pattern INT = Pattern.compile("(-?)(0x)?([0-9a-f]{1,131072})");

  private static final int HEX = 16;

  PyJsonParser(String path, String text) {
    super(path, text);
  }

  Object document() throws FormatException {
    Object value = value(0);
    takeEnd();
    return value;
  }

  private Object value(int depth) throws FormatException {
    if (depth > Limits.DEFAULT.depth()) {
      throw expected("at most " + Limits.DEFAULT.depth() + " levels");
    }
    return switch (peek()) {
      case '{' -> object(depth + 1);
      case '[' -> list(items(depth + 1));
      case '"' -> string();
      case 't' -> word("true", Boolean.TRUE);
      case 'f' -> word("false", Boolean.FALSE);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Object object(int depth) throws FormatException {
    take('{');
    Py.Dict dict = new Py.Dict(Py.Dict.Kind.DICT);
    if (takeIf('}')) {
      return dict;
    }
    Set<String> keys = new HashSet<>();
    do {
      int start = at();
      String key = string();
      take(':');
      if (key.startsWith("$")) {
        if (!keys.isEmpty()) {
          throw wrong(start, "no key with a dollar sign behind others");
        }
        Object value = special(key, depth, start);
        take('}');
        return value;
      }
      if (!keys.add(key)) {
        throw wrong(start, "a key that was not there before");
      }
      dict.append(key, value(depth));
    } while (takeIf(','));
    take('}');
    return dict;
  }

  private Object special(String key, int depth, int start) throws FormatException {
    return switch (key) {
      case PyJson.TUPLE -> new Py.Tuple(items(depth));
      case PyJson.SET -> new Py.PySet(false, hashable(items(depth)));
      case PyJson.FROZENSET -> new Py.PySet(true, hashable(items(depth)));
      case PyJson.DICT -> dict(Py.Dict.Kind.DICT, depth);
      case PyJson.ORDERED_DICT -> dict(Py.Dict.Kind.ORDERED_DICT, depth);
      case PyJson.DEFAULT_DICT -> dict(Py.Dict.Kind.DEFAULT_DICT, depth);
      case PyJson.BYTES -> new Py.Bytes(Data.of(hex()));
      case PyJson.BYTEARRAY -> new Py.ByteArray(Data.of(hex()));
      case PyJson.INT -> bigInteger();
      case PyJson.FLOAT -> specialFloat();
      case PyJson.TYPE -> type();
      case PyJson.SCALAR -> scalar(depth);
      case PyJson.ARRAY -> array();
      default -> throw wrong(start, "a known name behind a dollar sign");
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

  private static Py.PyList list(List<Object> items) {
    Py.PyList list = new Py.PyList();
    items.forEach(list::add);
    return list;
  }

  private List<Object> hashable(List<Object> items) throws FormatException {
    for (Object item : items) {
      if (!isHashable(item)) {
        throw wrong(at(), "items that Python can hash, before here");
      }
    }
    return items;
  }

  private static boolean isHashable(Object value) {
    if (value instanceof Py.Tuple tuple) {
      return tuple.items().stream().allMatch(PyJsonParser::isHashable);
    }
    return !(value instanceof Py.PyList
        || value instanceof Py.Dict
        || value instanceof Py.ByteArray
        || value instanceof Py.NumpyArray
        || value instanceof Py.PySet set && !set.frozen());
  }

  private Py.Dict dict(Py.Dict.Kind kind, int depth) throws FormatException {
    Py.Dict dict = new Py.Dict(kind);
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

  private byte[] hex() throws FormatException {
    int start = at();
    try {
      return HexFormat.of().parseHex(string());
    } catch (IllegalArgumentException e) {
      throw wrong(start, "hexadecimal digits, two for a byte");
    }
  }

  private Object bigInteger() throws FormatException {
    int start = at();
    Matcher digits = INT.matcher(string());
    boolean hex = digits.matches() && digits.group(2) != null;
    boolean decimal =
        digits.matches()
            && !hex
            && digits.group(3).length() <= MOST_DIGITS
            && digits.group(3).chars().allMatch(c -> c <= '9');
    if (!hex && !decimal) {
      throw wrong(start, "an integer");
    }
    return PyNumbers.integer(new BigInteger(digits.group(1) + digits.group(3), hex ? HEX : 10));
  }

  private double specialFloat() throws FormatException {
    int start = at();
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
      throw wrong(start, "a float");
    }
    return value;
  }

  private Py.NumpyType type() throws FormatException {
    int start = at();
    String name = string();
    return NumpyNames.parse(name).orElseThrow(() -> wrong(start, "the name of a numpy type"));
  }

  private Py.NumpyScalar scalar(int depth) throws FormatException {
    take('[');
    Py.NumpyType type = type();
    take(',');
    int start = at();
    byte[] bytes = type.bigEndian() ? null : ScalarValue.bytes(type, value(depth));
    if (bytes == null) {
      throw wrong(start, "a value of the type before it");
    }
    take(']');
    return new Py.NumpyScalar(type, bytes);
  }

  private Py.NumpyArray array() throws FormatException {
    take('{');
    name("dtype");
    final Py.NumpyType type = type();
    take(',');
    name("shape");
    final int start = at();
    final List<Object> sizes = items(0);
    take(',');
    name("data");
    final byte[] bytes = base64();
    take('}');
    long[] shape = new long[sizes.size()];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = sizes.get(i) instanceof Long size ? size : -1;
    }
    boolean holds =
        shape.length <= Limits.DEFAULT.dimensions() && bytes.length == bytes(type, shape);
    if (!holds) {
      throw wrong(start, "a shape that goes with the array's type and data");
    }
    Py.NumpyArray array = new Py.NumpyArray();
    array.build(type, shape, false, Data.of(bytes));
    return array;
  }

  /** Bytes of all elements; -1 where numpy would not have such a shape. */
  private static long bytes(Py.NumpyType type, long[] shape) {
    long bytes = type.itemSize();
    boolean empty = false;
    for (long size : shape) {
      if (size < 0 || Math.multiplyHigh(bytes, Math.max(size, 1)) != 0) {
        return -1;
      }
      bytes *= Math.max(size, 1);
      empty |= size == 0;
      if (bytes < 0) {
        return -1;
      }
    }
    return empty ? 0 : bytes;
  }

  private byte[] base64() throws FormatException {
    int start = at();
    try {
      return Base64.getDecoder().decode(string());
    } catch (IllegalArgumentException e) {
      throw wrong(start, "base64");
    }
  }

  private void name(String name) throws FormatException {
    int start = at();
    if (!string().equals(name)) {
      throw wrong(start, "\"" + name + "\"");
    }
    take(':');
  }
}
