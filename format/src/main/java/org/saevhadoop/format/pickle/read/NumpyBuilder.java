package org.saevhadoop.format.pickle.read;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickle.value.ScalarValue;

/** Builds numpy arrays and scalars like the numpy functions with the same names. */
final class NumpyBuilder {
  private static final Object[] EMPTY_SHAPE = {0L};
  private static final int MAX_TEXT = 1 << 16;

  private final PickleInput in;
  private final PayloadStore payloads;
  private final PickleLimits limits;
  private final MemoryBudget budget;
  private final boolean keepsOthers;
  private @Nullable NumpyDtype unknown;
  private int made;

  /**
   * Creates a builder.
   *
   * @param keepsOthers whether to accept arrays whose elements are objects or other types that are
   *     not read
   */
  NumpyBuilder(
      PickleInput in,
      PayloadStore payloads,
      PickleLimits limits,
      MemoryBudget budget,
      boolean keepsOthers) {
    this.keepsOthers = keepsOthers;
    this.in = in;
    this.payloads = payloads;
    this.limits = limits;
    this.budget = budget;
  }

  /** Evaluates {@code dtype(name, align, copy)}. */
  NumpyDtype dtype(List<Object> args) throws FormatException {
    budget.take(2L * MemoryBudget.DTYPE);
    NumpyDtype dtype = NumpyDtype.of(in, args);
    if (!dtype.isKnown()) {
      unknown = dtype;
    }
    return dtype;
  }

  /** Checks at the end of the pickle that even unused dtypes are known. */
  void checkDtypes() throws FormatException {
    if (unknown != null && !keepsOthers) {
      unknown.use(in, PickleError.BAD_ARRAY);
    }
  }

  boolean hasMade() {
    return made > 0;
  }

  /** Evaluates {@code _reconstruct(ndarray, (0,), b'b')}, which yields an array without state. */
  PythonValue.NumpyArray reconstruct(List<Object> args) throws FormatException {
    check(
        args.size() == 3
            && (args.get(0) == KnownGlobal.NDARRAY || keepsOthers && isMemoryMap(args.get(0)))
            && args.get(1) instanceof PythonValue.Tuple shape
            && shape.items().equals(Arrays.asList(EMPTY_SHAPE)),
        "_reconstruct of something other than an empty ndarray");
    budget.take(MemoryBudget.ARRAY);
    made++;
    return new PythonValue.NumpyArray();
  }

  /** Returns whether a type is numpy.memmap; the state of such an array has the usual form. */
  private static boolean isMemoryMap(Object type) {
    return type instanceof OpaqueObject other && other.type().equals("numpy.memmap");
  }

  /**
   * Sets the state of an array: {@code (1, shape, dtype, is_fortran, data)}, without the 1 in old
   * versions.
   */
  void build(PythonValue.NumpyArray array, @Nullable Object state) throws IOException {
    List<Object> items = state instanceof PythonValue.Tuple tuple ? tuple.items() : List.of();
    int first = items.size() - 4;
    check(
        first == 0
            || first == 1 && (Objects.equals(items.get(0), 1L) || Objects.equals(items.get(0), 0L)),
        "an array state that is not valid");
    check(items.get(first) instanceof PythonValue.Tuple, "a shape that is not a tuple");
    long[] shape = shape(items.get(first));
    if (keepsOthers && isOther(array, shape, items.get(first + 1), items.get(first + 3))) {
      return;
    }
    NumpyType type = elementType(items.get(first + 1));
    Object order = items.get(first + 2);
    check(
        order instanceof Boolean || order instanceof Long,
        "an array order that is not a bool or an integer");
    in.check(
        !(items.get(first + 3) instanceof PythonValue.ByteArray),
        PickleError.BAD_ARRAY,
        "array data that is not bytes");
    PayloadData data = data(items.get(first + 3), PickleError.BAD_ARRAY);
    checkLength(type, shape, data);
    budget.take(MemoryBudget.BYTES);
    array.build(type, shape, !order.equals(false) && !order.equals(0L), data);
  }

  /**
   * Sets the state of an array whose elements are not numbers; returns false for any other array.
   */
  private boolean isOther(
      PythonValue.NumpyArray array, long[] shape, @Nullable Object type, @Nullable Object data)
      throws FormatException {
    if (type instanceof NumpyDtype dtype
        && dtype.isOfObjects()
        && data instanceof PythonValue.PyList list) {
      long count = LongStream.of(shape).reduce(1, (a, b) -> a * b);
      check(count == list.size(), "%d objects for a shape of %d elements", list.size(), count);
      if (shape.length <= 1) {
        array.buildObjects(list.items(), shape.length == 0);
      } else {
        array.buildUnread(Quote.sentence("of objects in %d dimensions", shape.length));
      }
      return true;
    }
    String unread = unread(type);
    if (unread != null) {
      array.buildUnread(unread);
    }
    return unread != null;
  }

  private static @Nullable String unread(@Nullable Object type) {
    if (type instanceof NumpyDtype dtype) {
      return dtype.unread();
    }
    return type instanceof NumpyType known && known.isText() ? "of strings" : null;
  }

  /** Evaluates {@code _frombuffer(data, dtype, shape, order, axes)}. */
  PythonValue.NumpyArray frombuffer(List<Object> args) throws IOException {
    check(args.size() == 4 || args.size() == 5, "_frombuffer of %d arguments", args.size());
    made++;
    String unread = keepsOthers ? unread(args.get(1)) : null;
    if (unread != null) {
      budget.take(MemoryBudget.ARRAY + MemoryBudget.BYTES);
      PythonValue.NumpyArray other = new PythonValue.NumpyArray();
      other.buildUnread(unread);
      return other;
    }
    PayloadData data = data(args.get(0), PickleError.BAD_ARRAY);
    NumpyType type = elementType(args.get(1));
    long[] shape = inferred(shape(args.get(2)), type, data);
    checkLength(type, shape, data);
    budget.take(MemoryBudget.ARRAY + MemoryBudget.BYTES);
    PythonValue.NumpyArray array = new PythonValue.NumpyArray();
    Object order = args.get(3);
    Object axes = args.size() == 5 ? args.get(4) : null;
    if ("K".equals(order) && axes != null) {
      transpose(array, type, shape, axes, data);
    } else {
      check(
          "C".equals(order) || "F".equals(order) || "A".equals(order), "an array of unknown order");
      array.build(type, shape, "F".equals(order), data);
    }
    return array;
  }

  private void transpose(
      PythonValue.NumpyArray array, NumpyType type, long[] shape, Object order, PayloadData data)
      throws FormatException {
    check(order instanceof PythonValue.Tuple, "an array of unknown order");
    int[] axes =
        ((PythonValue.Tuple) order)
            .items().stream()
                .mapToInt(axis -> axis instanceof Long a && a >= 0 ? (int) Math.min(a, 99) : 99)
                .toArray();
    int[] sorted = axes.clone();
    Arrays.sort(sorted);
    check(
        Arrays.equals(sorted, IntStream.range(0, shape.length).toArray()),
        "axes that do not match the shape");
    long[] transposed = Arrays.stream(axes).mapToLong(axis -> shape[axis]).toArray();
    array.build(type, transposed, axes, data);
  }

  /** Evaluates {@code scalar(dtype, bytes)}. */
  PythonValue.NumpyScalar scalar(List<Object> args) throws IOException {
    PickleError error = PickleError.BAD_SCALAR;
    in.check(args.size() == 2, error, "scalar of %d arguments", args.size());
    NumpyType type = type(args.get(0), error);
    PayloadData data = data(args.get(1), error);
    in.check(
        data.rawLength() == type.itemSize(),
        error,
        "a scalar of %d bytes (%d)",
        data.rawLength(),
        type.itemSize());
    in.check(
        type.itemSize() <= MAX_TEXT,
        PickleError.LIMIT_EXCEEDED,
        "a scalar of more than %d bytes",
        MAX_TEXT);
    byte[] bytes = ArrayBytes.read(data, payloads);
    budget.take(MemoryBudget.BYTES + MemoryBudget.DTYPE + bytes.length);
    if (type.bigEndian()) {
      ArrayBytes.swap(ByteBuffer.wrap(bytes), type.swapUnit());
    }
    in.check(
        type.kind() != 'U' || areCodePoints(bytes),
        error,
        "a string with a code point beyond U+10FFFF");
    return new PythonValue.NumpyScalar(type.bigEndian(false), bytes);
  }

  private static boolean areCodePoints(byte[] bytes) {
    IntBuffer points = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    while (points.hasRemaining()) {
      if (!Character.isValidCodePoint(points.get())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Evaluates {@code _codecs.encode(text, 'latin1')}, the form of byte strings in protocols 0 to 2.
   */
  PythonValue.Bytes encode(List<Object> args) throws IOException {
    in.check(args.size() == 2, "encode of %d arguments", args.size());
    in.check(
        "latin1".equals(args.get(1)),
        PickleError.UNSAFE_GLOBAL,
        "_codecs.encode with a codec other than latin1");
    Object text = args.get(0);
    in.check(
        text instanceof String || text instanceof PythonValue.Text,
        "_codecs.encode of a %s",
        ByteNames.kind(text));
    return new PythonValue.Bytes(latin1(text, PickleError.BAD_ARRAY));
  }

  private NumpyType type(Object value, PickleError error) throws FormatException {
    if (value instanceof NumpyDtype dtype) {
      return dtype.use(in, error);
    }
    in.check(value instanceof NumpyType, error, "a dtype that is a %s", ByteNames.kind(value));
    return (NumpyType) value;
  }

  private NumpyType elementType(Object value) throws FormatException {
    NumpyType type = type(value, PickleError.BAD_ARRAY);
    check("US".indexOf(type.kind()) < 0, "an array of strings");
    return type;
  }

  private PayloadData data(Object value, PickleError error) throws IOException {
    if (value instanceof PythonValue.Bytes bytes) {
      return bytes.data();
    }
    if (value instanceof PythonValue.ByteArray bytes) {
      return bytes.data();
    }
    in.check(
        value instanceof String || value instanceof PythonValue.Text,
        error,
        "data that is a %s (expected bytes)",
        ByteNames.kind(value));
    return latin1(value, error);
  }

  private PayloadData latin1(Object text, PickleError error) throws IOException {
    if (text instanceof PythonValue.Text longText) {
      in.check(longText.data().rawLength() >= 0, error, "data with a character above U+00FF");
      return longText.data();
    }
    String characters = (String) text;
    in.check(
        characters.chars().allMatch(c -> c <= 0xff), error, "data with a character above U+00FF");
    byte[] bytes = characters.getBytes(StandardCharsets.ISO_8859_1);
    budget.take(MemoryBudget.BYTES + Math.min(bytes.length, LiteralOpcodes.FEW_BYTES));
    if (bytes.length <= LiteralOpcodes.FEW_BYTES) {
      return PayloadData.of(bytes);
    }
    long position = payloads.begin(PayloadStore.MADE);
    payloads.append(ByteBuffer.wrap(bytes));
    return PayloadData.raw(position, bytes.length);
  }

  private long[] shape(Object value) throws FormatException {
    if (value instanceof Long length) {
      return new long[] {length};
    }
    check(
        value instanceof PythonValue.Tuple || value instanceof PythonValue.PyList,
        "a shape that is a %s",
        ByteNames.kind(value));
    List<Object> sizes =
        value instanceof PythonValue.Tuple tuple
            ? tuple.items()
            : ((PythonValue.PyList) value).items();
    check(
        sizes.size() <= limits.dimensions(),
        "%d dimensions (at most %d)",
        sizes.size(),
        limits.dimensions());
    long[] shape = new long[sizes.size()];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = dimension(sizes.get(i));
    }
    return shape;
  }

  private long dimension(Object size) throws FormatException {
    Object number = size;
    if (size instanceof PythonValue.NumpyScalar scalar && "iu".indexOf(scalar.type().kind()) >= 0) {
      number = ScalarValue.number(scalar.type(), scalar.bytes());
    }
    if (number instanceof Long value) {
      return value;
    }
    throw in.fail(
        PickleError.BAD_ARRAY,
        "a dimension that is a %s",
        number instanceof BigInteger ? "number of more than 64 bits" : ByteNames.kind(number));
  }

  /** Replaces the only dimension that is -1 with its actual size. */
  private long[] inferred(long[] shape, NumpyType type, PayloadData data) {
    int open = -1;
    long known = type.itemSize();
    for (int i = 0; i < shape.length; i++) {
      if (shape[i] == -1 && open < 0) {
        open = i;
      } else {
        known *= shape[i];
      }
    }
    if (open >= 0 && known > 0 && data.rawLength() > 0) {
      // if the product overflowed, the later length check fails
      shape[open] = data.rawLength() / known;
    }
    return shape;
  }

  private void checkLength(NumpyType type, long[] shape, PayloadData data) throws FormatException {
    for (long size : shape) {
      check(size >= 0, "a dimension of %d", size);
    }
    long bytes = PythonValue.NumpyArray.bytes(type, shape);
    check(bytes >= 0, "a shape of more than 2^63 bytes");
    check(data.rawLength() == bytes, "%d bytes for a shape that needs %d", data.rawLength(), bytes);
  }

  @FormatMethod
  private void check(boolean holds, @FormatString String problem, Object... args)
      throws FormatException {
    in.check(holds, PickleError.BAD_ARRAY, problem, args);
  }
}
