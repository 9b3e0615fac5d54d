package org.saevhadoop.format.pickleshards.shard;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickle.value.PythonValue;

/** Layer keys and other small values of a shard, in all forms that are in use. */
public final class LayerKey {
  /**
   * The specification writes layer_15 and the real writer 15; the real reader also accepts "15".
   * Negative layers, counted from the end of the model, have the same form; -0 is rejected, because
   * it would be a second key of layer 0.
   */
  private static final Pattern TEXT = Pattern.compile("(?:layer_)?(0|-?[1-9][0-9]{0,8})");

  private static final int SHOWN = 60;
  private static final int SHOWN_BITS = 128;

  private LayerKey() {}

  /** Returns the layer of a key; empty if the key does not denote a layer. */
  static OptionalInt number(@Nullable Object key) {
    if (key instanceof String text) {
      Matcher matcher = TEXT.matcher(text);
      return matcher.matches()
          ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
          : OptionalInt.empty();
    }
    Long number = integer(key);
    return number == null || number != number.intValue()
        ? OptionalInt.empty()
        : OptionalInt.of(number.intValue());
  }

  /** Returns an int or a numpy integer of at most 63 bits; null for any other value. */
  public static @Nullable Long integer(@Nullable Object value) {
    if (value instanceof Long number) {
      return number;
    }
    if (!(value instanceof PythonValue.NumpyScalar scalar)
        || "iu".indexOf(scalar.type().kind()) < 0
        || scalar.bytes().length > Long.BYTES) {
      return null;
    }
    byte[] bytes = scalar.bytes();
    boolean negative = scalar.type().kind() == 'i' && bytes[bytes.length - 1] < 0;
    ByteBuffer wide = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).put(bytes);
    while (wide.hasRemaining()) {
      wide.put((byte) (negative ? -1 : 0));
    }
    long number = wide.getLong(0);
    return number < 0 && !negative ? null : number;
  }

  /** Returns the value of a key in a small dict; null if it is absent. */
  public static @Nullable Object get(PythonValue.Dict dict, String key) {
    for (int i = 0; i < dict.size(); i++) {
      if (key.equals(dict.key(i))) {
        return dict.value(i);
      }
    }
    return null;
  }

  /** Returns a copy of a dict in which the value of a key, if present, is replaced. */
  public static PythonValue.Dict with(PythonValue.Dict dict, String key, @Nullable Object value) {
    PythonValue.Dict changed = new PythonValue.Dict(dict.kind());
    for (int i = 0; i < dict.size(); i++) {
      changed.append(dict.key(i), key.equals(dict.key(i)) ? value : dict.value(i));
    }
    return changed;
  }

  /** Returns a shape as a Python tuple. */
  public static PythonValue.Tuple tuple(long[] shape) {
    return new PythonValue.Tuple(LongStream.of(shape).<Object>mapToObj(size -> size).toList());
  }

  /** Returns the items of a list or a tuple; empty for any other value. */
  public static List<Object> items(@Nullable Object value) {
    if (value instanceof PythonValue.Tuple tuple) {
      return tuple.items();
    }
    return value instanceof PythonValue.PyList list
        ? IntStream.range(0, list.size()).mapToObj(list::get).toList()
        : List.of();
  }

  /** Returns the name of the type of a value for error messages. */
  static String kind(@Nullable Object value) {
    if (value == null) {
      return "None";
    }
    if (value instanceof PythonValue.NumpyScalar scalar) {
      return "numpy scalar of kind " + scalar.type().kind();
    }
    return switch (value.getClass().getSimpleName()) {
      case "Boolean" -> "bool";
      case "Long", "BigInteger" -> "int";
      case "Double" -> "float";
      case "String", "Text" -> "str";
      case "PyList" -> "list";
      case "PySet" -> "set";
      case "NumpyArray" -> "ndarray";
      case "NumpyType" -> "numpy dtype";
      default -> value.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    };
  }

  /** Formats a small value for error messages. */
  static String show(@Nullable Object value) {
    Long number = integer(value);
    if (value instanceof BigInteger big && big.bitLength() > SHOWN_BITS) {
      return "an int of %d bits".formatted(big.bitLength() + 1);
    }
    if (number != null || value instanceof BigInteger || value instanceof Double) {
      return String.valueOf(number == null ? value : number);
    }
    if (value instanceof String text) {
      return "'" + Quote.show(text, SHOWN) + "'";
    }
    if (value instanceof Boolean bool) {
      return bool ? "True" : "False";
    }
    if (value instanceof PythonValue.Tuple || value instanceof PythonValue.PyList) {
      List<Object> items = items(value);
      return items.size() > SHOWN / 2
          ? kind(value) + " of " + items.size()
          : "(" + String.join(", ", items.stream().map(LayerKey::shallow).toList()) + ")";
    }
    return kind(value);
  }

  /**
   * Formats a value like {@link #show}, but without the content of containers, which may contain
   * themselves.
   */
  private static String shallow(@Nullable Object value) {
    return value instanceof PythonValue.Tuple || value instanceof PythonValue.PyList
        ? kind(value)
        : show(value);
  }
}
