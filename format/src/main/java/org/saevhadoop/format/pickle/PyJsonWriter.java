package org.saevhadoop.format.pickle;

import java.io.IOException;
import java.math.BigInteger;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.saevhadoop.format.io.FormatException;

/** Writes the line of {@link PyJson}; every part is at least a character, so its limit ends all. */
final class PyJsonWriter {
  /** Bits of an integer in decimal digits: longer ones take time in proportion to the square. */
  private static final int MOST_DECIMAL = 1 << 15;

  @FunctionalInterface
  private interface Item {
    void write(int at) throws IOException;
  }

  private final String path;
  private final Payloads payloads;
  private final int maxChars;
  private final StringBuilder out = new StringBuilder();

  PyJsonWriter(String path, Payloads payloads, int maxChars) {
    this.path = path;
    this.payloads = payloads;
    this.maxChars = maxChars;
  }

  String line(Object value) throws IOException {
    value(value, 0);
    return out.toString();
  }

  private void value(Object value, int depth) throws IOException {
    PickleError.LIMIT_EXCEEDED.check(
        depth <= Limits.DEFAULT.depth(),
        path,
        "a value is nested in more than %d levels, or contains itself",
        Limits.DEFAULT.depth());
    if (value == null || value instanceof Boolean) {
      add(String.valueOf(value));
    } else if (value instanceof Long || value instanceof BigInteger) {
      integer(PyNumbers.big(value));
    } else if (value instanceof Double number) {
      real(number);
    } else if (value instanceof String text) {
      string(text);
    } else if (value instanceof Py.Text text) {
      string(DataContent.text(path, text.data(), payloads, room(text.data())));
    } else if (value instanceof Py.Bytes bytes) {
      kind(PyJson.BYTES, () -> hex(bytes.data()));
    } else if (value instanceof Py.ByteArray bytes) {
      kind(PyJson.BYTEARRAY, () -> hex(bytes.data()));
    } else if (value instanceof Py.NumpyType type) {
      kind(PyJson.TYPE, () -> string(name(type)));
    } else if (value instanceof Py.NumpyScalar scalar) {
      kind(PyJson.SCALAR, () -> scalar(scalar));
    } else if (value instanceof Py.NumpyArray array) {
      kind(PyJson.ARRAY, () -> array(array));
    } else {
      container(value, depth + 1);
    }
  }

  private void container(Object value, int depth) throws IOException {
    if (value instanceof Py.PyList list) {
      items(list.size(), at -> value(list.get(at), depth));
    } else if (value instanceof Py.Tuple tuple) {
      kind(PyJson.TUPLE, () -> items(tuple.items(), depth));
    } else if (value instanceof Py.PySet set) {
      kind(set.frozen() ? PyJson.FROZENSET : PyJson.SET, () -> items(set.items(), depth));
    } else if (value instanceof Py.Dict dict) {
      dict(dict, depth);
    } else {
      throw new IllegalArgumentException("no value of Python's: " + value.getClass());
    }
  }

  private void dict(Py.Dict dict, int depth) throws IOException {
    if (dict.kind() == Py.Dict.Kind.DICT && hasPlainKeys(dict)) {
      add("{");
      for (int i = 0; i < dict.size(); i++) {
        add(i == 0 ? "" : ",");
        string((String) dict.key(i));
        add(":");
        value(dict.value(i), depth);
      }
      add("}");
      return;
    }
    String name =
        switch (dict.kind()) {
          case DICT -> PyJson.DICT;
          case ORDERED_DICT -> PyJson.ORDERED_DICT;
          case DEFAULT_DICT -> PyJson.DEFAULT_DICT;
        };
    kind(
        name,
        () ->
            items(
                dict.size(),
                at -> items(2, i -> value(i == 0 ? dict.key(at) : dict.value(at), depth))));
  }

  private static boolean hasPlainKeys(Py.Dict dict) {
    for (int i = 0; i < dict.size(); i++) {
      if (!(dict.key(i) instanceof String key) || key.startsWith("$")) {
        return false;
      }
    }
    return true;
  }

  @FunctionalInterface
  private interface Part {
    void write() throws IOException;
  }

  private void kind(String name, Part value) throws IOException {
    add("{\"");
    add(name);
    add("\":");
    value.write();
    add("}");
  }

  private void items(List<Object> items, int depth) throws IOException {
    items(items.size(), at -> value(items.get(at), depth));
  }

  private void items(int count, Item item) throws IOException {
    add("[");
    for (int i = 0; i < count; i++) {
      add(i == 0 ? "" : ",");
      item.write(i);
    }
    add("]");
  }

  private void integer(BigInteger value) throws FormatException {
    int bits = value.bitLength();
    if (bits < Long.SIZE && !value.equals(BigInteger.valueOf(Long.MIN_VALUE))) {
      add(value.toString());
    } else if (bits <= MOST_DECIMAL) {
      add("{\"" + PyJson.INT + "\":\"" + value + "\"}");
    } else {
      add("{\"" + PyJson.INT + "\":\"" + (value.signum() < 0 ? "-0x" : "0x"));
      add(value.abs().toString(16));
      add("\"}");
    }
  }

  private void real(double value) throws FormatException {
    if (Double.isFinite(value)) {
      add(Double.toString(value));
      return;
    }
    long bits = Double.doubleToRawLongBits(value);
    String text = value < 0 ? "-" + PyJson.INFINITY : PyJson.INFINITY;
    if (Double.isNaN(value)) {
      text = bits == PyJson.NAN_BITS ? PyJson.NAN : PyJson.NAN + ":" + Long.toHexString(bits);
    }
    add("{\"" + PyJson.FLOAT + "\":\"" + text + "\"}");
  }

  private void hex(Data data) throws IOException {
    byte[] bytes = DataContent.bytes(path, data, payloads, room(data));
    checkRoom(2L * bytes.length);
    add("\"");
    add(HexFormat.of().formatHex(bytes));
    add("\"");
  }

  private void scalar(Py.NumpyScalar scalar) throws IOException {
    Py.NumpyType type = scalar.type();
    add("[");
    string(name(new Py.NumpyType(type.kind(), type.itemSize(), false, type.dtype())));
    add(",");
    value(ScalarValue.of(type, scalar.bytes()), 0);
    add("]");
  }

  private void array(Py.NumpyArray array) throws IOException {
    long[] shape = array.shape();
    add("{\"dtype\":");
    string(name(array.type()));
    add(",\"shape\":");
    items(shape.length, at -> add(Long.toString(shape[at])));
    add(",\"data\":\"");
    byte[] bytes = DataContent.bytes(path, array.data(), payloads, room(array.data()));
    checkRoom(bytes.length);
    add(Base64.getEncoder().encodeToString(ArrayOrder.rowMajor(array, bytes)));
    add("\"}");
  }

  private String name(Py.NumpyType type) throws FormatException {
    return NumpyNames.name(type)
        .orElseThrow(
            () ->
                PickleError.SCHEMA.in(
                    path, "a value has numpy's type %s, which has no name", type));
  }

  private void string(String text) throws FormatException {
    checkRoom(text.length());
    add("\"");
    int plain = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        i++;
      } else if (c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c)) {
        add(text, plain, i);
        add(escape(c));
        plain = i + 1;
      }
    }
    add(text, plain, text.length());
    add("\"");
  }

  private static String escape(char c) {
    return switch (c) {
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      case '\n' -> "\\n";
      case '\t' -> "\\t";
      default -> String.format("\\u%04x", (int) c);
    };
  }

  /** Refuses to read what will have no room; else its bytes in the pickle. */
  private long room(Data data) throws FormatException {
    checkRoom(DataContent.fewest(data));
    return data.length();
  }

  private void checkRoom(long chars) throws FormatException {
    if (chars > maxChars - out.length()) {
      throw PickleError.LIMIT_EXCEEDED.in(
          path,
          "a value is too large as a line of text (expected at most %d characters)",
          maxChars);
    }
  }

  private void add(String text) throws FormatException {
    add(text, 0, text.length());
  }

  private void add(String text, int from, int to) throws FormatException {
    checkRoom(to - from);
    out.append(text, from, to);
  }
}
