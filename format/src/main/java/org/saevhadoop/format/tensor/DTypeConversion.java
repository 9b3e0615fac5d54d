package org.saevhadoop.format.tensor;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts little-endian elements of one type to another and counts the changes. Every float and
 * integer type of at least 8 bits can be converted to every other such type, except to the 8-bit
 * floats; each type can be converted to itself, which copies the bytes. Not safe for use by
 * multiple threads.
 */
public final class DTypeConversion {
  private final DType from;
  private final DType to;
  private final List<LaneBuffer.Step> steps;
  private @Nullable LaneBuffer lanes;
  private ConversionChanges changes = ConversionChanges.NONE;

  private DTypeConversion(DType from, DType to, List<LaneBuffer.Step> steps) {
    this.from = from;
    this.to = to;
    this.steps = steps;
  }

  /**
   * Returns a conversion whose counts are zero.
   *
   * @param rounding the policy for values that {@code to} cannot represent exactly
   * @param range the policy for values outside of the range of {@code to}, if it is an integer type
   * @throws IllegalArgumentException if the types differ and one of them is BOOL, C64 or a float of
   *     fewer than 8 bits, or {@code to} is a float of 8 bits
   */
  public static DTypeConversion of(
      DType from, DType to, RoundingPolicy rounding, RangePolicy range) {
    if (from == to) {
      return new DTypeConversion(from, to, List.of());
    }
    if (!exists(from, to)) {
      throw new IllegalArgumentException("no conversion from %s to %s".formatted(from, to));
    }
    return new DTypeConversion(from, to, ConversionPipeline.of(from, to, rounding, range));
  }

  /**
   * Returns a conversion that changes values as F64, which can represent all values of {@code
   * from}, and then rounds them once. Each call of {@link #convert} converts one record.
   *
   * @throws IllegalArgumentException if {@code from} has no conversion to F64, or F64 has no
   *     conversion to {@code to}
   */
  public static DTypeConversion changing(
      DType from, DoubleChange change, DType to, RoundingPolicy rounding, RangePolicy range) {
    if (!exists(from, DType.F64) || !NumberType.isTarget(to)) {
      throw new IllegalArgumentException("no conversion from %s to %s".formatted(from, to));
    }
    return new DTypeConversion(
        from, to, ConversionPipeline.changing(from, change, to, rounding, range));
  }

  /**
   * Returns a conversion that rounds to the nearest value and throws an exception if a value is
   * outside the range of an integer type.
   */
  public static DTypeConversion of(DType from, DType to) {
    return of(from, to, RoundingPolicy.NEAREST_EVEN, RangePolicy.ERROR);
  }

  /**
   * Returns whether every value of {@code from} is a value of {@code to} and NaNs keep their
   * payload. Such a conversion changes nothing under any policy, except that signalling NaNs of F32
   * and BF16 become quiet in F64, and all NaNs of 8-bit floats become the quiet NaN with the same
   * sign. Every other conversion is lossy and must be requested explicitly by the user.
   */
  public static boolean isExact(DType from, DType to) {
    return from == to || exists(from, to) && NumberType.of(from).isWithin(NumberType.of(to));
  }

  public static boolean exists(DType from, DType to) {
    return from == to || NumberType.exists(from) && NumberType.isTarget(to);
  }

  /** Returns the source type. */
  public DType from() {
    return from;
  }

  /** Returns the target type. */
  public DType to() {
    return to;
  }

  /** Returns the changes made by all calls of {@link #convert} that returned normally. */
  public ConversionChanges changes() {
    return changes;
  }

  /**
   * Converts the complete elements that remain in {@code src} and advances both positions past
   * them. The buffers may have any byte order, alignment and kind, but must not share memory.
   *
   * @throws BufferOverflowException if {@code dst} has too little space
   * @throws OutOfRangeException under {@link RangePolicy#ERROR}; the positions and {@link
   *     #changes()} are then unchanged, but the content of {@code dst} is undefined
   */
  public void convert(ByteBuffer src, ByteBuffer dst) {
    if (steps.isEmpty()) {
      copy(src, dst);
      return;
    }
    int fromBytes = from.bits() / Byte.SIZE;
    int toBytes = to.bits() / Byte.SIZE;
    int count = src.remaining() / fromBytes;
    if (dst.remaining() / toBytes < count) {
      throw new BufferOverflowException();
    }
    ChangeCounter counter = new ChangeCounter();
    lanes = lanes == null ? new LaneBuffer() : lanes;
    ByteBuffer in = src.slice().order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer out = dst.slice().order(ByteOrder.LITTLE_ENDIAN);
    for (int done = 0; done < count; ) {
      int n = Math.min(LaneBuffer.SIZE, count - done);
      counter.base = done;
      lanes.get(from.bits(), in.position(done * fromBytes), n);
      for (LaneBuffer.Step step : steps) {
        step.run(lanes, n, counter);
      }
      lanes.put(to.bits(), out.position(done * toBytes), n);
      done += n;
    }
    src.position(src.position() + count * fromBytes);
    dst.position(dst.position() + count * toBytes);
    changes = changes.plus(counter.changes(count));
  }

  private void copy(ByteBuffer src, ByteBuffer dst) {
    int unit = from.bits() % Byte.SIZE == 0 ? from.bits() / Byte.SIZE : from.bits() / 2;
    int length = src.remaining() / unit * unit;
    dst.put(src.slice(src.position(), length));
    src.position(src.position() + length);
    changes =
        changes.plus(new ConversionChanges((long) length * Byte.SIZE / from.bits(), 0, 0, 0, 0));
  }
}
