package org.saevhadoop.format.pickle.read;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PyNumbers;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickle.value.ScalarValue;
import org.saevhadoop.format.tensor.DType;

/** A pickle's value and payloads, told in the notation of the corpus. */
record Loaded(Object value, MemoryPayloads payloads) {
  private static final int MAX_KEPT = 1 << 28;

  /**
   * @param mostKept bytes of payloads: of more only the length is known
   */
  static Loaded of(StreamSource source, PickleLimits limits, int mostKept) throws IOException {
    MemoryPayloads payloads = new MemoryPayloads(mostKept);
    try (source) {
      return new Loaded(PickleReader.read(source, payloads, limits, null), payloads);
    }
  }

  static Loaded of(StreamSource source, PickleLimits limits) throws IOException {
    return of(source, limits, MAX_KEPT);
  }

  static Loaded of(StreamSource source) throws IOException {
    return of(source, PickleLimits.DEFAULT);
  }

  /** The value in JSON's terms. */
  Object told() throws IOException {
    return told(value);
  }

  private static Map<String, Object> one(String key, Object value) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(key, value);
    return map;
  }

  Object told(Object value) throws IOException {
    if (value instanceof Double number) {
      return one("$float", number);
    }
    if (value instanceof PythonValue.Text text) {
      return text(text.data());
    }
    if (value instanceof PythonValue.Bytes bytes) {
      return one("$bytes", hex(bytes.data()));
    }
    if (value instanceof PythonValue.ByteArray bytes) {
      return one("$bytearray", hex(bytes.data()));
    }
    if (value instanceof PythonValue.PyList list) {
      return toldAll(list.items());
    }
    return toldObject(value);
  }

  private Object toldObject(Object value) throws IOException {
    if (value instanceof PythonValue.Tuple tuple) {
      return one("$tuple", toldAll(tuple.items()));
    }
    if (value instanceof PythonValue.PySet set) {
      return one(set.frozen() ? "$frozenset" : "$set", new HashSet<>(toldAll(set.items())));
    }
    if (value instanceof PythonValue.Dict dict) {
      return told(dict);
    }
    if (value instanceof PythonValue.NumpyArray array) {
      return one("$ndarray", told(array));
    }
    if (value instanceof PythonValue.NumpyScalar scalar) {
      return one("$np", Arrays.asList(typeName(scalar.type()), told(scalar)));
    }
    return value;
  }

  private List<Object> toldAll(List<Object> items) throws IOException {
    List<Object> told = new ArrayList<>();
    for (Object item : items) {
      told.add(told(item));
    }
    return told;
  }

  private Object told(PythonValue.Dict dict) throws IOException {
    Map<Object, Object> told = new LinkedHashMap<>();
    for (int i = 0; i < dict.size(); i++) {
      told.put(told(dict.key(i)), told(dict.value(i)));
    }
    return told;
  }

  Map<String, Object> told(PythonValue.NumpyArray array) throws IOException {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("dtype", typeName(array.type()));
    told.put("shape", Arrays.stream(array.shape()).boxed().toList());
    told.put("sha256_c_le", sha256(array));
    return told;
  }

  static String typeName(NumpyType type) {
    DType dtype = type.dtype();
    return dtype == null ? type.kind() + "" + type.itemSize() : dtype.numpyName();
  }

  private String sha256(PythonValue.NumpyArray array) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      new ArrayBytes(payloads).copy(array, digest::update);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static Object told(PythonValue.NumpyScalar scalar) {
    ByteBuffer bytes = ByteBuffer.wrap(scalar.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    return switch (scalar.type().kind()) {
      case 'b' -> bytes.get() != 0;
      case 'i', 'u' -> ScalarValue.number(scalar.type(), scalar.bytes());
      case 'f' ->
          one("$float", bytes.remaining() == 4 ? (double) bytes.getFloat() : bytes.getDouble());
      default -> HexFormat.of().formatHex(scalar.bytes());
    };
  }

  private String hex(PayloadData data) throws IOException {
    return HexFormat.of().formatHex(ArrayBytes.read(data, payloads));
  }

  private String text(PayloadData data) {
    byte[] bytes = data.inline() != null ? data.inline() : new byte[(int) data.length()];
    if (data.inline() == null) {
      payloads.read(data.position(), ByteBuffer.wrap(bytes));
    }
    StringBuilder text = new StringBuilder();
    PickleInput in = new PickleInput(StreamSource.of(bytes), ByteBuffer.allocate(1));
    TextScan scan =
        data.form() == PayloadData.Form.UTF8
            ? new TextScan.Utf8(in, text)
            : new TextScan.Escaped(in, text);
    try {
      scan.take(ByteBuffer.wrap(bytes));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return text.toString();
  }

  /** A value of expected.json in the same terms. */
  static Object expected(Object json) {
    if (json instanceof List<?> list) {
      return list.stream().map(Loaded::expected).toList();
    }
    if (!(json instanceof Map<?, ?> map)) {
      return json instanceof Integer integer
          ? (Object) integer.longValue()
          : json instanceof BigInteger large ? PyNumbers.integer(large) : json;
    }
    if (map.containsKey("$float")) {
      String text = (String) map.get("$float");
      return one(
          "$float",
          switch (text) {
            case "nan" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
          });
    }
    if (map.containsKey("$int")) {
      return PyNumbers.integer(new BigInteger((String) map.get("$int")));
    }
    Map<Object, Object> told = new LinkedHashMap<>();
    if (map.containsKey("$dict")) {
      for (Object pair : (List<?>) map.get("$dict")) {
        told.put(expected(((List<?>) pair).get(0)), expected(((List<?>) pair).get(1)));
      }
    } else {
      map.forEach(
          (key, value) ->
              told.put(
                  key,
                  key.equals("$set") || key.equals("$frozenset")
                      ? new HashSet<>((List<?>) expected(value))
                      : expected(value)));
    }
    return told;
  }
}
