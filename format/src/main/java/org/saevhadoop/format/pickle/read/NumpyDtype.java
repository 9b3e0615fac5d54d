package org.saevhadoop.format.pickle.read;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.tensor.DType;

/**
 * A numpy dtype during unpickling, whose state may follow after it has been memoized. It must not
 * change after its first use: in numpy, the change would affect its users.
 */
final class NumpyDtype {
  private static final Map<String, PythonValue.NumpyType> NAMED = new HashMap<>();

  static {
    add('b', DType.BOOL);
    add('i', DType.I8, DType.I16, DType.I32, DType.I64);
    add('u', DType.U8, DType.U16, DType.U32, DType.U64);
    add('f', DType.F16, DType.F32, DType.F64);
    add('c', DType.C64);
    PythonValue.NumpyType complex128 = new PythonValue.NumpyType('c', 16, false, null);
    NAMED.put("c16", complex128);
    NAMED.put("complex128", complex128);
  }

  private static final PythonValue.NumpyType BFLOAT16 =
      new PythonValue.NumpyType('V', 2, false, DType.BF16);
  private static final int MAX_TEXT_DIGITS = 9;
  private static final int TEXT_UNIT = 4;
  private static final int MAX_VERSION = 4;

  private final String name;
  private final boolean isOwn;
  private PythonValue.NumpyType type;
  private boolean isUsed;

  private static void add(char kind, DType... types) {
    for (DType dtype : types) {
      int size = dtype.bits() / Byte.SIZE;
      PythonValue.NumpyType type = new PythonValue.NumpyType(kind, size, false, dtype);
      NAMED.put("" + kind + size, type);
      NAMED.put(dtype.numpyName(), type);
    }
  }

  private NumpyDtype(String name, boolean isOwn, PythonValue.NumpyType type) {
    this.name = name;
    this.isOwn = isOwn;
    this.type = type;
  }

  /** Evaluates {@code numpy.dtype(what, align, copy)}. */
  static NumpyDtype of(PickleInput in, List<Object> args) throws FormatException {
    in.check(
        args.size() >= 1 && args.size() <= 3,
        PickleError.BAD_ARRAY,
        "a dtype of %d arguments",
        args.size());
    boolean isOwn = args.size() == 3 && isTrue(args.get(2));
    Object what = args.get(0);
    if (what == KnownGlobal.BFLOAT16) {
      return new NumpyDtype("bfloat16", isOwn, BFLOAT16);
    }
    String name = what instanceof String text ? text : "of a " + ByteNames.kind(what);
    return new NumpyDtype(name, isOwn, what instanceof String ? parse(name) : null);
  }

  private static boolean isTrue(Object flag) {
    return Boolean.TRUE.equals(flag) || flag instanceof Long number && number != 0;
  }

  private static PythonValue.NumpyType parse(String name) {
    boolean hasOrder = !name.isEmpty() && "<>=|".indexOf(name.charAt(0)) >= 0;
    String plain = hasOrder ? name.substring(1) : name;
    PythonValue.NumpyType type = NAMED.get(plain);
    if (hasOrder && type != null && Character.isDigit(plain.charAt(plain.length() - 1))) {
      return ordered(type, name.charAt(0));
    }
    if (type == null && plain.matches("[US][0-9]{1," + MAX_TEXT_DIGITS + "}")) {
      int unit = plain.charAt(0) == 'U' ? TEXT_UNIT : 1;
      long size = Long.parseLong(plain.substring(1)) * unit;
      return size > Integer.MAX_VALUE
          ? null
          : ordered(
              new PythonValue.NumpyType(plain.charAt(0), (int) size, false, null),
              hasOrder ? name.charAt(0) : '=');
    }
    return hasOrder ? null : type;
  }

  private static PythonValue.NumpyType ordered(PythonValue.NumpyType type, char order) {
    boolean isOfBytes = type.kind() == 'S' || type.itemSize() == 1;
    return new PythonValue.NumpyType(
        type.kind(), type.itemSize(), order == '>' && !isOfBytes, type.dtype());
  }

  /** Returns the type and prevents further changes. */
  PythonValue.NumpyType use(PickleInput in, PickleError error) throws FormatException {
    isUsed = true;
    in.check(type != null, error, "the dtype %s is not numeric", ByteNames.quoted(name));
    return type;
  }

  /** Returns whether the type is a known number or string type. */
  boolean isKnown() {
    return type != null;
  }

  /**
   * Sets the state: {@code (version, byte order, subarray, names, fields, size, alignment, flags,
   * metadata)}; earlier versions are shorter.
   */
  void build(PickleInput in, Object state) throws FormatException {
    List<Object> items = state instanceof PythonValue.Tuple tuple ? tuple.items() : List.of();
    boolean hasVersion = items.size() > 5;
    in.check(
        items.size() >= 5
            && items.size() <= 9
            && (!hasVersion
                || items.get(0) instanceof Long version && version >= 0 && version <= MAX_VERSION),
        PickleError.BAD_ARRAY,
        "a dtype state that is not valid");
    int size = items.size() < 7 ? items.size() - 3 : 5;
    if (type != null) {
      List<Object> nothing = items.subList(hasVersion ? 2 : 1, size);
      in.check(
          nothing.stream().allMatch(item -> item == null),
          PickleError.BAD_ARRAY,
          "a structured dtype %s",
          ByteNames.quoted(name));
      become(in, changed(in, items.get(hasVersion ? 1 : 0), items.get(size)));
    }
  }

  private PythonValue.NumpyType changed(PickleInput in, Object order, Object size)
      throws FormatException {
    in.check(
        order instanceof String text && text.length() == 1 && "<>=|".contains(text),
        PickleError.BAD_ARRAY,
        "a dtype without a byte order");
    // numpy accepts it, but the resulting dtype is slightly different
    in.check(
        !order.equals("|") || type.itemSize() <= 1 || type.kind() == 'S',
        PickleError.BAD_ARRAY,
        "a dtype %s without a byte order",
        ByteNames.quoted(name));
    PythonValue.NumpyType sized = type;
    if (type.kind() == 'U' || type.kind() == 'S') {
      in.check(
          size instanceof Long number
              && number >= 0
              && number <= Integer.MAX_VALUE
              && (type.kind() == 'S' || number % TEXT_UNIT == 0),
          PickleError.BAD_ARRAY,
          "a dtype size that is not valid");
      sized = new PythonValue.NumpyType(type.kind(), ((Long) size).intValue(), false, null);
    } else {
      in.check(
          size instanceof Long number
              && (number == type.itemSize() || number == -1 && type.kind() != 'V'),
          PickleError.BAD_ARRAY,
          "a dtype %s of a different size",
          ByteNames.quoted(name));
    }
    return ordered(sized, ((String) order).charAt(0));
  }

  private void become(PickleInput in, PythonValue.NumpyType changed) throws FormatException {
    in.check(
        changed.equals(type) || isOwn && !isUsed,
        PickleError.BAD_ARRAY,
        "the dtype %s changes while in use",
        ByteNames.quoted(name));
    type = changed;
  }
}
