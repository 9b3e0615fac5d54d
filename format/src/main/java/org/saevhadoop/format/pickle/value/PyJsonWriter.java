package org.saevhadoop.format.pickle.value;

import java.io.IOException;
import java.math.BigInteger;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.io.FormatException;

/** Writes the line of {@link PyJson}; every part is at least a character, so its limit ends all. */
final class PyJsonWriter {
  /** Bits of an integer in decimal digits: longer ones take time in proportion to the square. */
  private static final int MOST_DECIMAL = 1 << 15;

  private final String path;
  private final PayloadStore payloads;
  private final int maxChars;
  private final StringBuilder out = new StringBuilder();

  PyJsonWriter(String path, PayloadStore payloads, int maxChars) {
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
        depth <= PickleLimits.DEFAULT.depth(),
        path,
        "a value is nested in more than %d levels, or contains itself",
        PickleLimits.DEFAULT.depth());
    if (value == null || value instanceof Boolean) {
      add(String.valueOf(value));
    } else if (value instanceof Long || value instanceof BigInteger) {
      integer(PyNumbers.big(value));
    } else if (value instanceof Double number) {
      real(number);
    } else if (value instanceof String text) {
      string(text);
    } else if (value instanceof PythonValue.Text text) {
      text(PayloadContent.utf8(path, text.data(), payloads, room(text.data())));
    } else if (value instanceof PythonValue.Bytes bytes) {
      begin(PyJson.BYTES);
      hex(bytes.data());
    } else if (value instanceof PythonValue.ByteArray bytes) {
      begin(PyJson.BYTEARRAY);
      hex(bytes.data());
    } else if (value instanceof PythonValue.NumpyType type) {
      begin(PyJson.TYPE);
      string(name(type));
      add("}");
    } else if (value instanceof PythonValue.NumpyScalar scalar) {
      scalar(scalar);
    } else if (value instanceof PythonValue.NumpyArray array) {
      array(array);
    } else {
      container(value, depth + 1);
    }
  }

  private void container(Object value, int depth) throws IOException {
    if (value instanceof PythonValue.PyList list) {
      for (int i = 0; i < list.size(); i++) {
        add(i == 0 ? "[" : ",");
        value(list.get(i), depth);
      }
      add(list.size() == 0 ? "[]" : "]");
    } else if (value instanceof PythonValue.Tuple tuple) {
      items(PyJson.TUPLE, tuple.items(), depth);
    } else if (value instanceof PythonValue.PySet set) {
      items(set.frozen() ? PyJson.FROZENSET : PyJson.SET, set.items(), depth);
    } else if (value instanceof PythonValue.Dict dict) {
      if (dict.kind() == PythonValue.Dict.Kind.DICT && hasPlainKeys(dict)) {
        members(dict, depth);
      } else {
        pairs(dict, depth);
      }
    } else {
      throw new IllegalArgumentException("no value of Python's: " + value.getClass());
    }
  }

  private void items(String name, List<Object> items, int depth) throws IOException {
    begin(name);
    add("[");
    for (int i = 0; i < items.size(); i++) {
      add(i == 0 ? "" : ",");
      value(items.get(i), depth);
    }
    add("]}");
  }

  private void members(PythonValue.Dict dict, int depth) throws IOException {
    add("{");
    for (int i = 0; i < dict.size(); i++) {
      add(i == 0 ? "" : ",");
      string((String) dict.key(i));
      add(":");
      value(dict.value(i), depth);
    }
    add("}");
  }

  private void pairs(PythonValue.Dict dict, int depth) throws IOException {
    begin(
        switch (dict.kind()) {
          case DICT -> PyJson.DICT;
          case ORDERED_DICT -> PyJson.ORDERED_DICT;
          case DEFAULT_DICT -> PyJson.DEFAULT_DICT;
        });
    add("[");
    for (int i = 0; i < dict.size(); i++) {
      add(i == 0 ? "[" : ",[");
      value(dict.key(i), depth);
      add(",");
      value(dict.value(i), depth);
      add("]");
    }
    add("]}");
  }

  private static boolean hasPlainKeys(PythonValue.Dict dict) {
    for (int i = 0; i < dict.size(); i++) {
      if (!(dict.key(i) instanceof String key) || key.startsWith("$")) {
        return false;
      }
    }
    return true;
  }

  /** Begins an object of one key. */
  private void begin(String name) throws FormatException {
    add("{\"" + name + "\":");
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

  private void hex(PayloadData data) throws IOException {
    byte[] bytes = PayloadContent.bytes(path, data, payloads, room(data));
    checkRoom(2L * bytes.length);
    add("\"" + HexFormat.of().formatHex(bytes) + "\"}");
  }

  private void scalar(PythonValue.NumpyScalar scalar) throws IOException {
    PythonValue.NumpyType type = scalar.type();
    begin(PyJson.SCALAR);
    add("[");
    string(name(new PythonValue.NumpyType(type.kind(), type.itemSize(), false, type.dtype())));
    add(",");
    value(ScalarValue.of(type, scalar.bytes()), 0);
    add("]}");
  }

  private void text(byte[] utf8) throws IOException {
    Optional<String> text = PayloadContent.text(path, utf8);
    if (text.isPresent()) {
      string(text.get());
    } else {
      begin(PyJson.TEXT);
      hex(PayloadData.of(utf8));
    }
  }

  private void array(PythonValue.NumpyArray array) throws IOException {
    begin(PyJson.ARRAY);
    add("{\"dtype\":");
    string(name(array.type()));
    add(",\"shape\":[");
    long[] shape = array.shape();
    for (int i = 0; i < shape.length; i++) {
      add(i == 0 ? "" : ",");
      add(Long.toString(shape[i]));
    }
    add("],\"data\":\"");
    byte[] bytes = PayloadContent.bytes(path, array.data(), payloads, room(array.data()));
    checkRoom(bytes.length);
    add(Base64.getEncoder().encodeToString(ArrayOrder.rowMajor(array, bytes)));
    add("\"}}");
  }

  private String name(PythonValue.NumpyType type) throws FormatException {
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
  private long room(PayloadData data) throws FormatException {
    checkRoom(PayloadContent.fewest(data));
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
