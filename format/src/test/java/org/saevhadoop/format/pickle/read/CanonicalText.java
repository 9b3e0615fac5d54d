package org.saevhadoop.format.pickle.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PythonValue;

/** Values as pickle_cases.py tells them. */
record CanonicalText(Loaded loaded) {
  private static final int MAX_DEPTH = 20;

  String of() throws IOException {
    return of(loaded.value(), 0);
  }

  private String of(Object value, int depth) throws IOException {
    if (depth > MAX_DEPTH) {
      return "...";
    }
    if (value == null) {
      return "N";
    }
    if (value instanceof Boolean flag) {
      return flag ? "T" : "F";
    }
    if (value instanceof Double number) {
      return String.format("f%016x", Double.doubleToRawLongBits(number));
    }
    if (value instanceof String text) {
      return "s"
          + text.chars().mapToObj(c -> String.format("%04x", c)).collect(Collectors.joining());
    }
    if (value instanceof NumpyType type) {
      String order = type.itemSize() == 1 ? "|" : type.bigEndian() ? ">" : "<";
      return "t" + order + type.kind() + type.itemSize();
    }
    if (value instanceof PythonValue py) {
      return of(py, depth + 1);
    }
    return "i" + value;
  }

  private String of(PythonValue value, int depth) throws IOException {
    if (value instanceof PythonValue.Text text) {
      return of(loaded.told(text), depth);
    }
    if (value instanceof PythonValue.Bytes bytes) {
      return "b" + hex(bytes.data());
    }
    if (value instanceof PythonValue.ByteArray bytes) {
      return "a" + hex(bytes.data());
    }
    if (value instanceof PythonValue.Tuple tuple) {
      return "(" + String.join(",", all(tuple.items(), depth)) + ")";
    }
    if (value instanceof PythonValue.PySet set) {
      List<String> items = all(set.items(), depth);
      // Python's order of texts is that of code points: these are ASCII
      items.sort(null);
      return (set.frozen() ? "f{" : "s{") + String.join(",", items) + "}";
    }
    return ofMore(value, depth);
  }

  private String ofMore(PythonValue value, int depth) throws IOException {
    if (value instanceof PythonValue.PyList list) {
      return "[" + String.join(",", all(list.items(), depth)) + "]";
    }
    if (value instanceof PythonValue.Dict dict) {
      List<String> items = new ArrayList<>();
      for (int i = 0; i < dict.size(); i++) {
        items.add(of(dict.key(i), depth) + ":" + of(dict.value(i), depth));
      }
      String kind = List.of("d", "o", "D").get(dict.kind().ordinal());
      return kind + "{" + String.join(",", items) + "}";
    }
    if (value instanceof PythonValue.NumpyArray array) {
      Object sha256 = loaded.told(array).get("sha256_c_le");
      return "A" + name(array.type()) + Arrays.toString(array.shape()) + sha256;
    }
    PythonValue.NumpyScalar scalar = (PythonValue.NumpyScalar) value;
    return "n" + name(scalar.type()) + HexFormat.of().formatHex(scalar.bytes());
  }

  private static String name(NumpyType type) {
    return switch (type.kind()) {
      case 'b' -> "bool";
      case 'i' -> "int";
      case 'u' -> "uint";
      case 'f' -> "float";
      case 'c' -> "complex";
      case 'U' -> "str";
      default -> "bytes";
    };
  }

  private List<String> all(List<Object> items, int depth) throws IOException {
    List<String> texts = new ArrayList<>();
    for (Object item : items) {
      texts.add(of(item, depth));
    }
    return texts;
  }

  private String hex(PayloadData data) throws IOException {
    return HexFormat.of().formatHex(ArrayBytes.read(data, loaded.payloads()));
  }
}
