package org.saevhadoop.jobs.diff;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.format.tensor.TensorValues;

/**
 * Compares blocks whose types may differ. The parts of complex numbers are compared as two values,
 * and bytes of packed floats as integers.
 */
final class ValueComparison {
  private final DType wide;

  /**
   * The type whose steps are counted: the narrower of the two float types, unless floats are not
   * rounded to that type.
   */
  private final DType stepped;

  private final boolean integers;

  /** The number of compared elements that form one element of the datasets. */
  private final int parts;

  private final Tolerance tolerance;

  /**
   * The limit as an unsigned integer; the largest distance between two values is less than 2^64.
   */
  private final long ulpLimit;

  private final boolean nanEqual;
  private final Converted a;
  private final Converted b;

  /**
   * Creates a comparison.
   *
   * @param path the path of the second dataset, for messages
   * @param nanEqual whether all NaN values are considered equal
   * @throws FormatException if no type represents all values of both types, or if values of the
   *     types cannot be rounded as the tolerance requires
   */
  ValueComparison(String path, DType typeA, DType typeB, Tolerance tolerance, boolean nanEqual)
      throws FormatException {
    DType ownA = numbers(typeA);
    DType ownB = numbers(typeB);
    this.wide = wide(path, ownA, ownB);
    this.integers = areIntegers(wide);
    boolean floats = !areIntegers(ownA) && !areIntegers(ownB);
    DType narrow = ownA.bits() < ownB.bits() ? ownA : ownB;
    this.stepped = floats && DTypeConversion.exists(wide, narrow) ? narrow : wide;
    this.parts = typeA == DType.C64 ? 2 : 1;
    this.tolerance = tolerance;
    this.ulpLimit = tolerance.limit() < 0x1p64 ? tolerance.steps().longValue() : -1;
    this.nanEqual = nanEqual;
    try {
      this.a = new Converted(ownA);
      this.b = new Converted(ownB);
    } catch (IllegalArgumentException e) {
      throw DatasetError.NOT_CONVERTIBLE
          .in(path, "%s (expected a tolerance other than %s)", e.getMessage(), tolerance)
          .causedBy(e);
    }
  }

  /** Returns the type in which elements are compared. */
  private static DType numbers(DType dtype) {
    return dtype == DType.C64 ? DType.F32 : dtype.bits() % Byte.SIZE != 0 ? DType.U8 : dtype;
  }

  private static boolean areIntegers(DType dtype) {
    return TensorValues.of(dtype, ByteBuffer.allocate(0)).areIntegers();
  }

  private static DType wide(String path, DType a, DType b) throws FormatException {
    return Stream.of(a, b, DType.F32, DType.I16, DType.I32, DType.I64, DType.F64)
        .filter(type -> DTypeConversion.isExact(a, type) && DTypeConversion.isExact(b, type))
        .findFirst()
        .orElseThrow(
            () ->
                DatasetError.NOT_CONVERTIBLE.in(
                    path,
                    "no type represents all values of %s and %s (expected one type to include the"
                        + " other)",
                    a,
                    b));
  }

  /** The elements of one dataset, in the types that the comparison needs. */
  private final class Converted {
    private final @Nullable DTypeConversion widening;
    private final @Nullable DTypeConversion narrowing;
    private final @Nullable DTypeConversion rounding;
    private ByteBuffer widened = ByteBuffer.allocate(0);
    private ByteBuffer narrowed = widened;
    private ByteBuffer rounded = widened;
    private TensorValues values = TensorValues.of(DType.U8, widened);
    private TensorValues roundedValues = values;

    Converted(DType own) {
      boolean isRounded = tolerance.measure() == Tolerance.Measure.BF16;
      this.widening = own == wide ? null : DTypeConversion.of(own, wide);
      this.narrowing = stepped == wide ? null : DTypeConversion.of(wide, stepped);
      this.rounding = isRounded ? DTypeConversion.of(wide, DType.BF16) : null;
    }

    ByteBuffer widen(ByteBuffer block) {
      widened = widening == null ? block.slice() : convert(widening, block, widened);
      return widened.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Prepares the elements for measuring distances. */
    void measure() {
      values = TensorValues.of(wide, widened);
      narrowed = narrowing == null ? widened : convert(narrowing, widened.duplicate(), narrowed);
      narrowed.order(ByteOrder.LITTLE_ENDIAN);
      if (rounding != null) {
        rounded = convert(rounding, widened.duplicate(), rounded);
        roundedValues = TensorValues.of(DType.BF16, rounded);
      }
    }

    private static ByteBuffer convert(DTypeConversion conversion, ByteBuffer from, ByteBuffer to) {
      int bytes =
          Math.toIntExact(
              (long) from.remaining() * conversion.to().bits() / conversion.from().bits());
      ByteBuffer target = to.capacity() < bytes ? ByteBuffer.allocateDirect(bytes) : to.clear();
      conversion.convert(from, target.limit(bytes));
      return target.flip();
    }

    /** Returns the bits of an element in the wider type. */
    long bits(int i) {
      return bits(widened, wide, i);
    }

    /** Returns an integer that increases by 1 from each float of the type to the next. */
    long step(int i) {
      long bits = bits(narrowed, stepped, i);
      if (stepped == DType.F8_E8M0) { // this type has no sign
        return bits & 0xff;
      }
      long sign = 1L << stepped.bits() - 1;
      return bits < 0 ? -(bits & sign - 1) : bits;
    }

    private static long bits(ByteBuffer from, DType dtype, int i) {
      return switch (dtype.bits()) {
        case Byte.SIZE -> from.get(i);
        case Short.SIZE -> from.getShort(i << 1);
        case Integer.SIZE -> from.getInt(i << 2);
        default -> from.getLong(i << 3);
      };
    }

    String text(int i) {
      if (integers) {
        long value = values.longAt(i);
        return wide == DType.U64 ? Long.toUnsignedString(value) : Long.toString(value);
      }
      double value = values.doubleAt(i);
      return wide == DType.F64 ? Double.toString(value) : Float.toString((float) value);
    }
  }

  /**
   * Compares two blocks of the same number of elements.
   *
   * @param vector the number of elements in a vector
   * @param into receives the differences
   */
  void compare(
      ByteBuffer blockA,
      ByteBuffer blockB,
      long example,
      int column,
      long vector,
      ColumnDifference into) {
    int mismatch = a.widen(blockA).mismatch(b.widen(blockB));
    if (mismatch < 0) {
      return;
    }
    a.measure();
    b.measure();
    int bytes = wide.bits() / Byte.SIZE;
    int count = a.widened.remaining() / bytes;
    long before = into.values;
    long dim = vector * parts;
    long lastVector = -1;
    for (int i = mismatch / bytes; i < count; i++) {
      if (a.bits(i) == b.bits(i)) {
        continue;
      }
      into.bits++;
      if (differs(i, into)) {
        into.values++;
        into.vectors += i / dim == lastVector ? 0 : 1;
        lastVector = i / dim;
        if (into.lists(example)) {
          into.list(new ValuePair(example, column, i / dim, (int) (i % dim), a.text(i), b.text(i)));
        }
      }
    }
    into.blocks += into.values > before ? 1 : 0;
  }

  /** Measures two elements whose bits differ, and returns whether the difference counts. */
  private boolean differs(int i, ColumnDifference into) {
    double x = a.values.doubleAt(i);
    double y = b.values.doubleAt(i);
    if (!Double.isFinite(x) || !Double.isFinite(y)) {
      boolean equal = nanEqual && Double.isNaN(x) && Double.isNaN(y);
      into.nonFinite += equal ? 0 : 1;
      return !equal;
    }
    long steps =
        integers
            ? difference(a.values.longAt(i), b.values.longAt(i), wide == DType.U64)
            : difference(a.step(i), b.step(i), false);
    double abs = integers ? unsigned(steps) : Math.abs(x - y);
    double largest = Math.max(Math.abs(x), Math.abs(y));
    double rel =
        abs == 0
            ? 0
            : abs <= Double.MAX_VALUE ? abs / largest : Math.abs(x / largest - y / largest);
    into.measure(abs, rel, steps);
    return switch (tolerance.measure()) {
      case BITS -> true;
      case ABS -> abs > tolerance.limit();
      case REL -> rel > tolerance.limit();
      case ULP -> Long.compareUnsigned(steps, ulpLimit) > 0;
      case BF16 -> a.roundedValues.doubleAt(i) != b.roundedValues.doubleAt(i);
    };
  }

  /** Returns the distance between two integers, as an unsigned integer. */
  private static long difference(long x, long y, boolean unsigned) {
    boolean larger = unsigned ? Long.compareUnsigned(x, y) > 0 : x > y;
    return larger ? x - y : y - x;
  }

  private static double unsigned(long value) {
    return value >= 0 ? value : (value >>> 1) * 2.0 + (value & 1);
  }
}
