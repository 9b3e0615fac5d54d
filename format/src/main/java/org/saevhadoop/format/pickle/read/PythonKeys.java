package org.saevhadoop.format.pickle.read;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PyNumbers;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickle.value.ScalarValue;

/**
 * Equality of keys in Python, for example {@code 1 == True == 1.0 == numpy.int8(1)}. The form of a
 * key is a Java object that equals the forms of equal keys.
 */
final class PythonKeys {
  private static final int MAX_PARTS = 1000;

  /**
   * Form of a key that is neither a number nor a string. Forms are comparable by their text, which
   * orders them even if their hashes collide.
   */
  private record Composite(String text) implements Comparable<Composite> {
    @Override
    public int compareTo(Composite other) {
      return text.compareTo(other.text);
    }
  }

  /** Form of a NaN or of a placeholder, which equals only the form of the same object. */
  private record Identity(Object key) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Identity same && same.key == key;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(key);
    }
  }

  private final PickleInput in;
  private final MemoryBudget budget;
  private int parts;

  PythonKeys(PickleInput in, MemoryBudget budget) {
    this.in = in;
    this.budget = budget;
  }

  /**
   * Returns the form of a key.
   *
   * @throws FormatException if Python does not accept the key, or its form is not supported
   */
  Object form(@Nullable Object key) throws FormatException {
    parts = 0;
    Object form = formOf(key);
    if (form instanceof Composite composite) {
      budget.work(composite.text.length());
      budget.take(MemoryBudget.TEXT + composite.text.length());
    }
    return form;
  }

  private Object formOf(@Nullable Object key) throws FormatException {
    in.check(
        ++parts <= MAX_PARTS, PickleError.LIMIT_EXCEEDED, "a key of more than %d parts", MAX_PARTS);
    if (key instanceof String || key instanceof Long || key instanceof BigInteger) {
      return key;
    }
    if (key instanceof Boolean flag) {
      return flag ? 1L : 0L;
    }
    if (key instanceof Double number) {
      return number.isNaN() ? new Identity(key) : numberForm(number);
    }
    return key == null ? new Composite("None") : objectForm(key);
  }

  private Object objectForm(Object key) throws FormatException {
    if (key instanceof PythonValue.Tuple tuple) {
      StringBuilder text = new StringBuilder("(");
      for (Object item : tuple.items()) {
        append(text, item);
      }
      return new Composite(text.append(')').toString());
    }
    if (key instanceof PythonValue.PySet set && set.frozen()) {
      TreeSet<String> texts = new TreeSet<>();
      for (Object item : set.items()) {
        StringBuilder text = new StringBuilder();
        append(text, item);
        texts.add(text.toString());
      }
      return new Composite("{" + String.join("", texts) + "}");
    }
    if (key instanceof PythonValue.Bytes bytes && bytes.data().inline() != null) {
      byte[] inline = bytes.data().inline();
      return new Composite("b" + new String(inline, StandardCharsets.ISO_8859_1));
    }
    if (key instanceof PythonValue.NumpyScalar scalar) {
      return scalarForm(scalar);
    }
    if (key instanceof OpaqueObject) {
      return new Identity(key);
    }
    in.check(
        !(key instanceof PythonValue.Text || key instanceof PythonValue.Bytes),
        PickleError.LIMIT_EXCEEDED,
        "a key of too many bytes");
    throw in.fail("a %s cannot be a key", ByteNames.kind(key));
  }

  /** Appends a part with its class and its length, so that the result is unambiguous. */
  private void append(StringBuilder text, Object item) throws FormatException {
    Object form = formOf(item);
    in.check(!(form instanceof Identity), "NaN or an unknown object cannot be part of a key");
    String part = form instanceof Composite composite ? composite.text : form.toString();
    text.append(form.getClass().getSimpleName().charAt(0)).append(part.length()).append(':');
    text.append(part);
    budget.work(part.length());
  }

  private static Object numberForm(double number) {
    boolean isWhole = number == Math.rint(number) && !Double.isInfinite(number);
    return isWhole
        ? PyNumbers.integer(new BigDecimal(number).toBigIntegerExact())
        : (Object) number;
  }

  private Object scalarForm(PythonValue.NumpyScalar scalar) throws FormatException {
    ByteBuffer bytes = ByteBuffer.wrap(scalar.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    return switch (scalar.type().kind()) {
      case 'b' -> (long) bytes.get();
      case 'i', 'u' -> Objects.requireNonNull(ScalarValue.number(scalar.type(), scalar.bytes()));
      case 'f', 'V' -> floatForm(scalar);
      case 'U' -> textForm(bytes.asIntBuffer());
      default -> throw in.fail("a numpy scalar of kind %s cannot be a key", scalar.type().kind());
    };
  }

  private static Object floatForm(PythonValue.NumpyScalar scalar) {
    double number =
        (Double) Objects.requireNonNull(ScalarValue.number(scalar.type(), scalar.bytes()));
    return Double.isNaN(number) ? new Identity(scalar) : numberForm(number);
  }

  private String textForm(IntBuffer points) throws FormatException {
    int[] all = new int[points.remaining()];
    points.get(all);
    int length = all.length;
    for (int point : all) {
      in.check(
          point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE,
          "a numpy string with a lone surrogate cannot be a key");
    }
    while (length > 0 && all[length - 1] == 0) {
      length--;
    }
    return new String(all, 0, length);
  }
}
