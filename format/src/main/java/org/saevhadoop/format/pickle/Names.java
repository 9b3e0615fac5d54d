package org.saevhadoop.format.pickle;

import java.util.Locale;

/** Bytes of a pickle in a line of text. */
final class Names {
  private static final int MOST = 120;

  private Names() {}

  /** In quotes, in ASCII and not long. */
  static String quoted(String text) {
    StringBuilder line = new StringBuilder("'");
    for (int i = 0; i < Math.min(text.length(), MOST); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c <= '~') {
        line.append(c);
      } else {
        line.append(String.format("\\u%04x", (int) c));
      }
    }
    return line.append(text.length() > MOST ? "'..." : "'").toString();
  }

  /** What Python calls an object's class. */
  static String kind(Object value) {
    if (value instanceof Py.NumpyScalar scalar) {
      return "numpy scalar of kind " + scalar.type().kind();
    }
    if (value instanceof Py.Dict || value instanceof Py.PyList) {
      return value instanceof Py.Dict ? "dict" : "list";
    }
    if (value instanceof Py.NumpyArray || value instanceof Py.NumpyType) {
      return value instanceof Py.NumpyArray ? "numpy array" : "numpy dtype";
    }
    return value == null ? "None" : value.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }
}
