package org.saevhadoop.format.pickle.value;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.format.tensor.DType;

/** Names of numpy types in the notations of {@code str(dtype)} and {@code dtype.str}. */
public final class NumpyNames {
  private static final Pattern TEXT = Pattern.compile("(>?)([US])(0|[1-9][0-9]{0,7})");
  private static final int BYTES_PER_CHAR = 4;
  private static final int COMPLEX128_BYTES = 16;

  private static final Map<String, PythonValue.NumpyType> BY_NAME = new HashMap<>();
  private static final Map<String, String> NAMES = new HashMap<>();

  static {
    number('b', DType.BOOL);
    number('i', DType.I8, DType.I16, DType.I32, DType.I64);
    number('u', DType.U8, DType.U16, DType.U32, DType.U64);
    number('f', DType.F16, DType.F32, DType.F64);
    number('c', DType.C64);
    number('V', DType.BF16);
    add("complex128", new PythonValue.NumpyType('c', COMPLEX128_BYTES, false, null));
  }

  private NumpyNames() {}

  private static void number(char kind, DType... types) {
    for (DType type : types) {
      add(type.numpyName(), new PythonValue.NumpyType(kind, type.bits() / Byte.SIZE, false, type));
    }
  }

  private static void add(String name, PythonValue.NumpyType type) {
    BY_NAME.put(name, type);
    NAMES.put(code(type), name);
  }

  /**
   * Returns the little-endian numpy type of a dtype.
   *
   * @throws IllegalArgumentException if numpy has no such type
   */
  public static PythonValue.NumpyType of(DType dtype) {
    PythonValue.NumpyType type = BY_NAME.get(dtype.numpyName());
    if (type == null) {
      throw new IllegalArgumentException("numpy has no " + dtype);
    }
    return type;
  }

  /** Returns the kind and the size without the byte order, such as {@code f4} or {@code U3}. */
  public static String code(PythonValue.NumpyType type) {
    return type.kind() + Integer.toString(type.itemSize() / (isUnicode(type) ? BYTES_PER_CHAR : 1));
  }

  /** Returns whether the elements are strings, with four bytes per character. */
  public static boolean isUnicode(PythonValue.NumpyType type) {
    return type.kind() == 'U';
  }

  /** Returns whether the elements are strings or byte strings. */
  public static boolean isText(PythonValue.NumpyType type) {
    return isUnicode(type) || type.kind() == 'S';
  }

  /**
   * Returns a name such as {@code float32}, {@code >f4} for big-endian types, or {@code U3} and
   * {@code S3} for strings; empty if the type is not a plain numpy type.
   */
  static Optional<String> name(PythonValue.NumpyType type) {
    String code = code(type);
    boolean known = isText(type) || NAMES.containsKey(code);
    if (!known) {
      return Optional.empty();
    }
    return Optional.of(type.bigEndian() ? ">" + code : isText(type) ? code : NAMES.get(code));
  }

  /** Parses a name in the notation of {@link #name}; empty if it is unknown. */
  public static Optional<PythonValue.NumpyType> parse(String name) {
    Matcher text = TEXT.matcher(name);
    if (text.matches()) {
      char kind = text.group(2).charAt(0);
      int size = Integer.parseInt(text.group(3)) * (kind == 'U' ? BYTES_PER_CHAR : 1);
      return Optional.of(new PythonValue.NumpyType(kind, size, !text.group(1).isEmpty(), null));
    }
    if (name.startsWith(">")) {
      return Optional.ofNullable(NAMES.get(name.substring(1)))
          .map(BY_NAME::get)
          .map(type -> new PythonValue.NumpyType(type.kind(), type.itemSize(), true, type.dtype()));
    }
    return Optional.ofNullable(BY_NAME.get(name));
  }
}
