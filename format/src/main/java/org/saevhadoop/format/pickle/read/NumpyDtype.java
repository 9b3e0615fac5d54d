package org.saevhadoop.format.pickle.read;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PythonValue;

/**
 * A numpy dtype during unpickling, whose state can be set after it has been memoized. It must not
 * change after its first use, because in numpy the change would affect all users of the dtype.
 */
final class NumpyDtype {
  private static final int TEXT_UNIT = 4;
  private static final int MAX_VERSION = 4;
  private static final Pattern OBJECTS = Pattern.compile("O[48]?");

  private final String name;
  private final boolean isOwn;
  private @Nullable NumpyType type;
  private boolean isUsed;
  private boolean isStructured;

  private NumpyDtype(String name, boolean isOwn, @Nullable NumpyType type) {
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
      return new NumpyDtype("bfloat16", isOwn, NumpyType.BFLOAT16);
    }
    String name = what instanceof String text ? text : "of a " + ByteNames.kind(what);
    return new NumpyDtype(
        name, isOwn, what instanceof String ? NumpyType.parse(name).orElse(null) : null);
  }

  private static boolean isTrue(Object flag) {
    return Boolean.TRUE.equals(flag) || flag instanceof Long number && number != 0;
  }

  /** Returns the type and prevents further changes. */
  NumpyType use(PickleInput in, PickleError error) throws FormatException {
    isUsed = true;
    if (type == null) {
      throw in.fail(error, "the dtype %s is not numeric", ByteNames.quoted(name));
    }
    return type;
  }

  /** Returns whether the elements are Python objects. */
  boolean isOfObjects() {
    return type == null && OBJECTS.matcher(name).matches();
  }

  /** Returns a description of elements that are not numbers, for messages; null for numbers. */
  @Nullable String unread() {
    if (type != null) {
      return type.isText() ? "of strings" : null;
    }
    String kind =
        isStructured
            ? "of structures"
            : name.startsWith("M8") || name.startsWith("m8")
                ? "of dates or durations"
                : "of an unknown type";
    return "%s, dtype %s,".formatted(kind, ByteNames.quoted(name));
  }

  /** Returns whether the type is a known number or string type. */
  boolean isKnown() {
    return type != null;
  }

  /**
   * Sets the state: {@code (version, byte order, subarray, names, fields, size, alignment, flags,
   * metadata)}; earlier versions are shorter.
   */
  void build(PickleInput in, @Nullable Object state) throws FormatException {
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
    isStructured |= items.get(hasVersion ? 3 : 2) != null;
    if (type != null) {
      List<Object> nothing = items.subList(hasVersion ? 2 : 1, size);
      in.check(
          nothing.stream().allMatch(item -> item == null),
          PickleError.BAD_ARRAY,
          "a structured dtype %s",
          ByteNames.quoted(name));
      become(in, changed(in, type, items.get(hasVersion ? 1 : 0), items.get(size)));
    }
  }

  private NumpyType changed(PickleInput in, NumpyType type, Object order, Object size)
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
    NumpyType sized = type;
    if (type.isText()) {
      in.check(
          size instanceof Long number
              && number >= 0
              && number <= Integer.MAX_VALUE
              && (type.kind() == 'S' || number % TEXT_UNIT == 0),
          PickleError.BAD_ARRAY,
          "a dtype size that is not valid");
      sized = new NumpyType(type.kind(), ((Long) size).intValue(), false, null);
    } else {
      in.check(
          size instanceof Long number
              && (number == type.itemSize() || number == -1 && type.kind() != 'V'),
          PickleError.BAD_ARRAY,
          "a dtype %s of a different size",
          ByteNames.quoted(name));
    }
    return sized.bigEndian(order.equals(">"));
  }

  private void become(PickleInput in, NumpyType changed) throws FormatException {
    in.check(
        changed.equals(type) || isOwn && !isUsed,
        PickleError.BAD_ARRAY,
        "the dtype %s changes while in use",
        ByteNames.quoted(name));
    type = changed;
  }
}
