package org.saevhadoop.format.pickle;

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
import org.saevhadoop.format.io.FormatException;

/** Builds numpy's arrays and scalars as its own functions of the same names do. */
final class Numpy {
  private static final Object[] EMPTY_SHAPE = {0L};
  private static final int MOST_TEXT = 1 << 16;

  private final PickleInput in;
  private final Payloads payloads;
  private final Limits limits;
  private final Budget budget;
  private Dtype unknown;

  Numpy(PickleInput in, Payloads payloads, Limits limits, Budget budget) {
    this.in = in;
    this.payloads = payloads;
    this.limits = limits;
    this.budget = budget;
  }

  /** {@code dtype(name, align, copy)}. */
  Dtype dtype(List<Object> args) throws FormatException {
    budget.take(2L * Budget.DTYPE);
    Dtype dtype = Dtype.of(in, args);
    if (!dtype.isKnown()) {
      unknown = dtype;
    }
    return dtype;
  }

  /** At the end: a dtype that nothing was made with may be one that numpy does not know, either. */
  void checkDtypes() throws FormatException {
    if (unknown != null) {
      unknown.use(in, PickleError.BAD_ARRAY);
    }
  }

  /** {@code _reconstruct(ndarray, (0,), b'b')}: an array that waits for its state. */
  Py.NumpyArray reconstruct(List<Object> args) throws FormatException {
    check(
        args.size() == 3
            && args.get(0) == Global.NDARRAY
            && args.get(1) instanceof Py.Tuple shape
            && shape.items().equals(Arrays.asList(EMPTY_SHAPE)),
        "_reconstruct of something else than an empty ndarray");
    budget.take(Budget.ARRAY);
    return new Py.NumpyArray();
  }

  /** State of an array: {@code (1, shape, dtype, is Fortran, data)}, formerly without the 1. */
  void build(Py.NumpyArray array, Object state) throws IOException {
    List<Object> items = state instanceof Py.Tuple tuple ? tuple.items() : List.of();
    int first = items.size() - 4;
    check(
        first == 0
            || first == 1 && (Objects.equals(items.get(0), 1L) || Objects.equals(items.get(0), 0L)),
        "an array's state that is none");
    check(items.get(first) instanceof Py.Tuple, "a shape that is no tuple");
    long[] shape = shape(items.get(first));
    Py.NumpyType type = elementType(items.get(first + 1));
    Object order = items.get(first + 2);
    check(order instanceof Boolean || order instanceof Long, "an array's order that is none");
    in.check(
        !(items.get(first + 3) instanceof Py.ByteArray),
        PickleError.BAD_ARRAY,
        "an array's data that are no bytes");
    Data data = data(items.get(first + 3), PickleError.BAD_ARRAY);
    checkLength(type, shape, data);
    budget.take(Budget.BYTES);
    array.build(type, shape, !order.equals(false) && !order.equals(0L), data);
  }

  /** {@code _frombuffer(data, dtype, shape, order, axes)}. */
  Py.NumpyArray frombuffer(List<Object> args) throws IOException {
    check(args.size() == 4 || args.size() == 5, "_frombuffer of %d arguments", args.size());
    Data data = data(args.get(0), PickleError.BAD_ARRAY);
    Py.NumpyType type = elementType(args.get(1));
    long[] shape = inferred(shape(args.get(2)), type, data);
    checkLength(type, shape, data);
    budget.take(Budget.ARRAY + Budget.BYTES);
    Py.NumpyArray array = new Py.NumpyArray();
    Object order = args.get(3);
    Object axes = args.size() == 5 ? args.get(4) : null;
    if ("K".equals(order) && axes != null) {
      transpose(array, type, shape, axes, data);
    } else {
      check(
          "C".equals(order) || "F".equals(order) || "A".equals(order),
          "an array of no known order");
      array.build(type, shape, "F".equals(order), data);
    }
    return array;
  }

  private void transpose(
      Py.NumpyArray array, Py.NumpyType type, long[] shape, Object order, Data data)
      throws FormatException {
    check(order instanceof Py.Tuple, "an array of no known order");
    int[] axes =
        ((Py.Tuple) order)
            .items().stream()
                .mapToInt(axis -> axis instanceof Long a && a >= 0 ? (int) Math.min(a, 99) : 99)
                .toArray();
    int[] sorted = axes.clone();
    Arrays.sort(sorted);
    check(
        Arrays.equals(sorted, IntStream.range(0, shape.length).toArray()),
        "axes that are not those of the shape");
    long[] transposed = Arrays.stream(axes).mapToLong(axis -> shape[axis]).toArray();
    array.build(type, transposed, axes, data);
  }

  /** {@code scalar(dtype, bytes)}. */
  Py.NumpyScalar scalar(List<Object> args) throws IOException {
    PickleError error = PickleError.BAD_SCALAR;
    in.check(args.size() == 2, error, "scalar of %d arguments", args.size());
    Py.NumpyType type = type(args.get(0), error);
    Data data = data(args.get(1), error);
    in.check(
        data.rawLength() == type.itemSize(),
        error,
        "a scalar of %d bytes (%d)",
        data.rawLength(),
        type.itemSize());
    in.check(
        type.itemSize() <= MOST_TEXT,
        PickleError.LIMIT_EXCEEDED,
        "a scalar of more than %d bytes",
        MOST_TEXT);
    byte[] bytes = ArrayBytes.read(data, payloads);
    budget.take(Budget.BYTES + Budget.DTYPE + bytes.length);
    if (type.bigEndian()) {
      ArrayBytes.swap(ByteBuffer.wrap(bytes), ArrayBytes.swapUnit(type));
    }
    in.check(type.kind() != 'U' || areCodePoints(bytes), error, "a text beyond U+10FFFF");
    return new Py.NumpyScalar(
        new Py.NumpyType(type.kind(), type.itemSize(), false, type.dtype()), bytes);
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

  /** {@code _codecs.encode(text, 'latin1')}: how bytes are written in protocols 0 to 2. */
  Py.Bytes encode(List<Object> args) throws IOException {
    in.check(args.size() == 2, PickleError.BAD_PICKLE, "encode of %d arguments", args.size());
    in.check(
        "latin1".equals(args.get(1)),
        PickleError.UNSAFE_GLOBAL,
        "_codecs.encode with another codec than latin1");
    Object text = args.get(0);
    in.check(
        text instanceof String || text instanceof Py.Text,
        PickleError.BAD_PICKLE,
        "_codecs.encode of a %s",
        Names.kind(text));
    return new Py.Bytes(latin1(text, PickleError.BAD_ARRAY));
  }

  private Py.NumpyType type(Object value, PickleError error) throws FormatException {
    if (value instanceof Dtype dtype) {
      return dtype.use(in, error);
    }
    in.check(value instanceof Py.NumpyType, error, "a dtype that is a %s", Names.kind(value));
    return (Py.NumpyType) value;
  }

  private Py.NumpyType elementType(Object value) throws FormatException {
    Py.NumpyType type = type(value, PickleError.BAD_ARRAY);
    check("US".indexOf(type.kind()) < 0, "an array of texts");
    return type;
  }

  private Data data(Object value, PickleError error) throws IOException {
    if (value instanceof Py.Bytes bytes) {
      return bytes.data();
    }
    if (value instanceof Py.ByteArray bytes) {
      return bytes.data();
    }
    in.check(
        value instanceof String || value instanceof Py.Text,
        error,
        "data that are a %s (bytes)",
        Names.kind(value));
    return latin1(value, error);
  }

  private Data latin1(Object text, PickleError error) throws IOException {
    if (text instanceof Py.Text longText) {
      in.check(longText.data().rawLength() >= 0, error, "data with a character above U+00FF");
      return longText.data();
    }
    String characters = (String) text;
    in.check(
        characters.chars().allMatch(c -> c <= 0xff), error, "data with a character above U+00FF");
    byte[] bytes = characters.getBytes(StandardCharsets.ISO_8859_1);
    budget.take(Budget.BYTES + Math.min(bytes.length, Literals.FEW_BYTES));
    if (bytes.length <= Literals.FEW_BYTES) {
      return Data.of(bytes);
    }
    long position = payloads.begin(Payloads.MADE);
    payloads.append(ByteBuffer.wrap(bytes));
    return Data.raw(position, bytes.length);
  }

  private long[] shape(Object value) throws FormatException {
    if (value instanceof Long length) {
      return new long[] {length};
    }
    check(
        value instanceof Py.Tuple || value instanceof Py.PyList,
        "a shape that is a %s",
        Names.kind(value));
    boolean isTuple = value instanceof Py.Tuple;
    int dimensions = isTuple ? ((Py.Tuple) value).items().size() : ((Py.PyList) value).size();
    check(
        dimensions <= limits.dimensions(),
        "%d dimensions (at most %d)",
        dimensions,
        limits.dimensions());
    long[] shape = new long[dimensions];
    for (int i = 0; i < dimensions; i++) {
      Object size = isTuple ? ((Py.Tuple) value).items().get(i) : ((Py.PyList) value).get(i);
      shape[i] = dimension(size);
    }
    return shape;
  }

  private long dimension(Object size) throws FormatException {
    Object number = size;
    if (size instanceof Py.NumpyScalar scalar && "iu".indexOf(scalar.type().kind()) >= 0) {
      number = Keys.integer(scalar);
    }
    check(
        number instanceof Long,
        "a dimension that is a %s",
        number instanceof BigInteger ? "number of more than 64 bits" : Names.kind(number));
    return (Long) number;
  }

  /** Puts in the one dimension that is -1. */
  private long[] inferred(long[] shape, Py.NumpyType type, Data data) {
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
      // where the product overflowed, the length will not fit
      shape[open] = data.rawLength() / known;
    }
    return shape;
  }

  private void checkLength(Py.NumpyType type, long[] shape, Data data) throws FormatException {
    long bytes = Math.max(1, type.itemSize());
    boolean isEmpty = type.itemSize() == 0;
    for (long size : shape) {
      check(size >= 0, "a dimension of %d", size);
      isEmpty |= size == 0;
      long high = Math.multiplyHigh(bytes, Math.max(1, size));
      bytes *= Math.max(1, size);
      check(high == 0 && bytes > 0, "a shape of more than 2^63 bytes");
    }
    check(
        data.rawLength() == (isEmpty ? 0 : bytes),
        "%d bytes for a shape of %d",
        data.rawLength(),
        isEmpty ? 0 : bytes);
  }

  private void check(boolean holds, String problem, Object... args) throws FormatException {
    in.check(holds, PickleError.BAD_ARRAY, problem, args);
  }
}
