package org.saevhadoop.format.pickle.read;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.value.PythonValue;

/** Display of pickle content in error messages. */
final class ByteNames {
  private static final int MAX_LENGTH = 120;

  private ByteNames() {}

  /** Returns a quoted and escaped ASCII form of limited length. */
  static String quoted(String text) {
    return "'" + Quote.ascii(text, MAX_LENGTH) + "'";
  }

  /** Returns the name of the Python class of an object. */
  static String kind(@Nullable Object value) {
    if (value instanceof PythonValue.NumpyScalar scalar) {
      return "numpy scalar of kind " + scalar.type().kind();
    }
    if (value instanceof PythonValue.Dict || value instanceof PythonValue.PyList) {
      return value instanceof PythonValue.Dict ? "dict" : "list";
    }
    if (value instanceof PythonValue.NumpyArray || value instanceof NumpyType) {
      return value instanceof PythonValue.NumpyArray ? "numpy array" : "numpy dtype";
    }
    return value == null ? "None" : value.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }
}
