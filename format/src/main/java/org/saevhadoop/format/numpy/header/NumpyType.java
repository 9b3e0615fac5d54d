package org.saevhadoop.format.numpy.header;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.DType;

/**
 * Plain element type of a numpy array, {@code numpy.dtype}.
 *
 * @param kind the {@code dtype.kind} of numpy: b i u f c, U S, or V for {@code ml_dtypes.bfloat16}
 *     and for bytes without a type
 * @param itemSize the size of an element in bytes
 * @param bigEndian whether the elements are big-endian
 * @param dtype the type in this project; null for strings (U, S), complex128 and bytes without a
 *     type
 */
public record NumpyType(char kind, int itemSize, boolean bigEndian, @Nullable DType dtype) {
  /** The ml_dtypes type for which numpy itself has no name. */
  public static final NumpyType BFLOAT16 = new NumpyType('V', Short.BYTES, false, DType.BF16);

  /** The type of Python objects, which are stored as a pickle rather than as elements. */
  public static final NumpyType OBJECTS = new NumpyType('O', 0, false, null);

  private static final Pattern TEXT = Pattern.compile("([<>=|]?)([US])([0-9]{1,9})");
  private static final Pattern BYTES = Pattern.compile("([<>=|]?)V([12])");
  private static final Pattern CODE = Pattern.compile("([<>=|])([a-z][0-9]+)");
  private static final int BYTES_PER_CHAR = 4;

  /** Names and codes without a byte order, such as {@code float32} and {@code f4}. */
  private static final Map<String, NumpyType> KNOWN = new HashMap<>();

  /** Names by codes. */
  private static final Map<String, String> NAMES = new HashMap<>();

  static {
    number('b', DType.BOOL);
    number('i', DType.I8, DType.I16, DType.I32, DType.I64);
    number('u', DType.U8, DType.U16, DType.U32, DType.U64);
    number('f', DType.F16, DType.F32, DType.F64);
    number('c', DType.C64);
    add("complex128", new NumpyType('c', 2 * Double.BYTES, false, null));
    KNOWN.put("?", KNOWN.get("bool"));
    NAMES.put(BFLOAT16.code(), DType.BF16.numpyName());
  }

  private static void number(char kind, DType... types) {
    for (DType type : types) {
      add(type.numpyName(), new NumpyType(kind, type.bits() / Byte.SIZE, false, type));
    }
  }

  private static void add(String name, NumpyType type) {
    KNOWN.put(name, type);
    KNOWN.put(type.code(), type);
    NAMES.put(type.code(), name);
  }

  /**
   * Returns the little-endian numpy type for a dtype; empty if numpy lacks the type and it is not
   * BF16.
   */
  public static Optional<NumpyType> of(DType dtype) {
    return Optional.ofNullable(dtype == DType.BF16 ? BFLOAT16 : KNOWN.get(dtype.numpyName()));
  }

  /**
   * Evaluates {@code numpy.dtype(text)} for a plain type without ml_dtypes: a name, or a code with
   * or without a byte order, such as {@code float32}, {@code f4}, {@code >f4}, {@code |u1} and
   * {@code U3}. Empty for other types.
   */
  public static Optional<NumpyType> parse(String text) {
    Matcher string = TEXT.matcher(text);
    if (string.matches()) {
      char kind = string.group(2).charAt(0);
      long size = Long.parseLong(string.group(3)) * (kind == 'U' ? BYTES_PER_CHAR : 1);
      return size > Integer.MAX_VALUE
          ? Optional.empty()
          : Optional.of(
              new NumpyType(kind, (int) size, false, null).bigEndian(string.group(1).equals(">")));
    }
    Matcher code = CODE.matcher(text);
    return code.matches()
        ? Optional.ofNullable(KNOWN.get(code.group(2)))
            .map(type -> type.bigEndian(code.group(1).equals(">")))
        : Optional.ofNullable(KNOWN.get(text));
  }

  /**
   * Evaluates {@code numpy.dtype(text)} for elements of one or two bytes without a type, such as
   * {@code |V2} and {@code <V2}: .npy files record the types of ml_dtypes in this way. Empty for
   * other types.
   */
  public static Optional<NumpyType> parseBytes(String text) {
    Matcher bytes = BYTES.matcher(text);
    return bytes.matches()
        ? Optional.of(
            new NumpyType('V', Integer.parseInt(bytes.group(2)), false, null)
                .bigEndian(bytes.group(1).equals(">")))
        : Optional.empty();
  }

  /** Returns the type with the given name, the inverse of {@link #name}; empty if there is none. */
  public static Optional<NumpyType> named(String name) {
    return Stream.concat(parse(name).stream(), Stream.of(BFLOAT16, BFLOAT16.bigEndian(true)))
        .filter(type -> type.name().equals(Optional.of(name)))
        .findFirst();
  }

  /**
   * Returns the canonical name: {@code float32}, {@code >f4} for big-endian types, or {@code U3}
   * and {@code S3} for strings; empty if the type is not a plain numpy type.
   */
  public Optional<String> name() {
    String code = code();
    Optional<String> name = Optional.ofNullable(isText() ? code : NAMES.get(code));
    return bigEndian ? name.map(known -> ">" + code) : name;
  }

  /** Returns the kind and the size without the byte order, such as {@code f4} or {@code U3}. */
  public String code() {
    return kind + Integer.toString(itemSize / (isUnicode() ? BYTES_PER_CHAR : 1));
  }

  /** Returns {@code dtype.str}, such as {@code <f4} or {@code |u1}. */
  public String descr() {
    return (!isOrdered() ? '|' : bigEndian ? '>' : '<') + code();
  }

  /** Returns whether the byte order matters. */
  public boolean isOrdered() {
    return isUnicode() || itemSize > 1 && kind != 'S';
  }

  /**
   * Returns this type with the given byte order; types without a byte order are treated as
   * little-endian.
   */
  public NumpyType bigEndian(boolean big) {
    return new NumpyType(kind, itemSize, big && isOrdered(), dtype);
  }

  /** Returns whether the elements are strings, with four bytes per character. */
  public boolean isUnicode() {
    return kind == 'U';
  }

  /** Returns whether the elements are bytes whose type is not known. */
  public boolean isUntyped() {
    return kind == 'V' && dtype == null;
  }

  /** Returns whether the elements are strings or byte strings. */
  public boolean isText() {
    return isUnicode() || kind == 'S';
  }

  /**
   * Returns the number of bytes that are reversed together in a big-endian element; a complex
   * number has two such units.
   */
  public int swapUnit() {
    return switch (kind) {
      case 'c' -> itemSize / 2;
      case 'U' -> Integer.BYTES;
      case 'S' -> 1;
      default -> itemSize;
    };
  }
}
