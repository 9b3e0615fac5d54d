package org.saevhadoop.format.pickle.value;

import java.io.IOException;
import java.math.BigInteger;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonEscapes;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.JsonStyle.KeyOrder;
import org.saevhadoop.format.json.JsonStyle.NumberForm;
import org.saevhadoop.format.json.JsonTextWriter;
import org.saevhadoop.format.numpy.header.NumpyType;

/**
 * Writes a line in the format of {@link PyJson}. The maximum length of the line bounds the work.
 */
final class PyJsonWriter implements Appendable {
  private static final JsonStyle STYLE =
      JsonStyle.compact(KeyOrder.KEPT, JsonEscapes.LONE_SURROGATES, NumberForm.VERBATIM);

  /** Longer integers are written in hexadecimal: conversion to decimal takes quadratic time. */
  private static final int MAX_DECIMAL_BITS = 1 << 15;

  private final String path;
  private final @Nullable PayloadStore payloads;
  private final int maxChars;
  private final StringBuilder line = new StringBuilder();
  private final JsonTextWriter json = new JsonTextWriter(this, STYLE);

  PyJsonWriter(String path, @Nullable PayloadStore payloads, int maxChars) {
    this.path = path;
    this.payloads = payloads;
    this.maxChars = maxChars;
  }

  String line(@Nullable Object value) throws IOException {
    value(value, 0);
    return line.toString();
  }

  private void value(@Nullable Object value, int depth) throws IOException {
    PickleError.LIMIT_EXCEEDED.check(
        depth <= PickleLimits.DEFAULT.depth(),
        path,
        "a value is nested more than %d levels deep, or contains itself",
        PickleLimits.DEFAULT.depth());
    if (value == null || value instanceof Boolean) {
      json.literal(String.valueOf(value));
    } else if (value instanceof Long || value instanceof BigInteger) {
      integer(PyNumbers.big(value));
    } else if (value instanceof Double number) {
      real(number);
    } else if (value instanceof String text) {
      string(text);
    } else if (value instanceof PythonValue.Text text) {
      text(PayloadContent.utf8(path, text.data(), payloads, room(text.data())));
    } else if (value instanceof PythonValue.Bytes bytes) {
      hex(PyJson.BYTES, bytes.data());
    } else if (value instanceof PythonValue.ByteArray bytes) {
      hex(PyJson.BYTEARRAY, bytes.data());
    } else if (value instanceof NumpyType type) {
      single(PyJson.TYPE, name(type));
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
      json.beginArray();
      for (int i = 0; i < list.size(); i++) {
        value(list.get(i), depth);
      }
      json.endArray();
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
      throw new IllegalArgumentException("not a value of Python: " + value.getClass());
    }
  }

  private void items(String name, List<Object> items, int depth) throws IOException {
    begin(name);
    json.beginArray();
    for (Object item : items) {
      value(item, depth);
    }
    json.endArray();
    json.endObject();
  }

  private void members(PythonValue.Dict dict, int depth) throws IOException {
    json.beginObject();
    for (int i = 0; i < dict.size(); i++) {
      String key = (String) Objects.requireNonNull(dict.key(i));
      checkRoom(key.length());
      json.name(key);
      value(dict.value(i), depth);
    }
    json.endObject();
  }

  private void pairs(PythonValue.Dict dict, int depth) throws IOException {
    begin(
        switch (dict.kind()) {
          case DICT -> PyJson.DICT;
          case ORDERED_DICT -> PyJson.ORDERED_DICT;
          case DEFAULT_DICT -> PyJson.DEFAULT_DICT;
        });
    json.beginArray();
    for (int i = 0; i < dict.size(); i++) {
      json.beginArray();
      value(dict.key(i), depth);
      value(dict.value(i), depth);
      json.endArray();
    }
    json.endArray();
    json.endObject();
  }

  private static boolean hasPlainKeys(PythonValue.Dict dict) {
    for (int i = 0; i < dict.size(); i++) {
      if (!(dict.key(i) instanceof String key) || key.startsWith("$")) {
        return false;
      }
    }
    return true;
  }

  /** Begins an object with one key. */
  private void begin(String name) throws IOException {
    json.beginObject();
    json.name(name);
  }

  private void integer(BigInteger value) throws IOException {
    int bits = value.bitLength();
    if (bits < Long.SIZE && !value.equals(BigInteger.valueOf(Long.MIN_VALUE))) {
      json.literal(value.toString());
    } else if (bits <= MAX_DECIMAL_BITS) {
      single(PyJson.INT, value.toString());
    } else {
      single(PyJson.INT, (value.signum() < 0 ? "-0x" : "0x") + value.abs().toString(16));
    }
  }

  private void real(double value) throws IOException {
    if (Double.isFinite(value)) {
      json.literal(Double.toString(value));
      return;
    }
    long bits = Double.doubleToRawLongBits(value);
    String text = value < 0 ? "-" + PyJson.INFINITY : PyJson.INFINITY;
    if (Double.isNaN(value)) {
      text = bits == PyJson.NAN_BITS ? PyJson.NAN : PyJson.NAN + ":" + Long.toHexString(bits);
    }
    single(PyJson.FLOAT, text);
  }

  /** Writes an object with one key, whose value is a string. */
  private void single(String name, String text) throws IOException {
    begin(name);
    json.string(text);
    json.endObject();
  }

  private void hex(String name, PayloadData data) throws IOException {
    byte[] bytes = PayloadContent.bytes(path, data, payloads, room(data));
    checkRoom(2L * bytes.length);
    single(name, HexFormat.of().formatHex(bytes));
  }

  private void scalar(PythonValue.NumpyScalar scalar) throws IOException {
    NumpyType type = scalar.type();
    begin(PyJson.SCALAR);
    json.beginArray();
    string(name(type.bigEndian(false)));
    value(ScalarValue.of(type, scalar.bytes()), 0);
    json.endArray();
    json.endObject();
  }

  private void text(byte[] utf8) throws IOException {
    Optional<String> text = PayloadContent.text(path, utf8);
    if (text.isPresent()) {
      string(text.get());
    } else {
      hex(PyJson.TEXT, PayloadData.of(utf8));
    }
  }

  private void array(PythonValue.NumpyArray array) throws IOException {
    begin(PyJson.ARRAY);
    begin("dtype");
    string(name(array.type()));
    json.name("shape");
    json.beginArray();
    for (long size : array.shape()) {
      json.literal(Long.toString(size));
    }
    json.endArray();
    json.name("data");
    byte[] bytes = PayloadContent.bytes(path, array.data(), payloads, room(array.data()));
    checkRoom(bytes.length);
    json.string(Base64.getEncoder().encodeToString(ArrayBytes.rowMajor(array, bytes)));
    json.endObject();
    json.endObject();
  }

  private String name(NumpyType type) throws FormatException {
    return type.name()
        .orElseThrow(
            () ->
                PickleError.SCHEMA.in(
                    path, "a value has the numpy type %s, which has no name", type));
  }

  private void string(String text) throws IOException {
    checkRoom(text.length());
    json.string(text);
  }

  /** Returns the length of data in the pickle; refuses data that would not fit in the line. */
  private long room(PayloadData data) throws FormatException {
    checkRoom(PayloadContent.fewest(data));
    return data.length();
  }

  private void checkRoom(long chars) throws FormatException {
    if (chars > maxChars - line.length()) {
      throw PickleError.LIMIT_EXCEEDED.in(
          path,
          "a value is too large as a line of text (expected at most %d characters)",
          maxChars);
    }
  }

  @Override
  public PyJsonWriter append(CharSequence text) throws IOException {
    checkRoom(text.length());
    line.append(text);
    return this;
  }

  @Override
  public PyJsonWriter append(CharSequence text, int from, int to) throws IOException {
    return append(text.subSequence(from, to));
  }

  @Override
  public PyJsonWriter append(char c) throws IOException {
    checkRoom(1);
    line.append(c);
    return this;
  }
}
