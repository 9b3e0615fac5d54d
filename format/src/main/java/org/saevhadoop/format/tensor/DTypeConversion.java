package org.saevhadoop.format.tensor;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Converts elements of one type to another, both little-endian, and counts what that changed. Every
 * float and integer type of 8 bits and more converts to every other, but for the floats of 8 bits;
 * each type converts to itself, which copies the bytes. Not for use by several threads at once.
 */
public final class DTypeConversion {
  private static final ConversionChanges NONE = new ConversionChanges(0, 0, 0, 0, 0);

  private final DType from;
  private final DType to;
  private final List<LaneBuffer.Step> steps;
  private final LaneBuffer lanes = new LaneBuffer();
  private ConversionChanges changes = NONE;

  private DTypeConversion(DType from, DType to, List<LaneBuffer.Step> steps) {
    this.from = from;
    this.to = to;
    this.steps = steps;
  }

  /**
   * A conversion that has not changed anything yet.
   *
   * @param rounding for what {@code to} has not exactly
   * @param range for what {@code to}, an integer type, can not hold
   * @throws IllegalArgumentException where one of two different types is BOOL, C64 or a float of 8
   *     bits or less
   */
  public static DTypeConversion of(
      DType from, DType to, RoundingPolicy rounding, RangePolicy range) {
    if (from == to) {
      return new DTypeConversion(from, to, List.of());
    }
    if (NumberType.of(from) == null || NumberType.of(to) == null) {
      throw new IllegalArgumentException("no conversion from %s to %s".formatted(from, to));
    }
    return new DTypeConversion(from, to, ConversionPipeline.of(from, to, rounding, range));
  }

  /** A conversion to the nearest number, in which an integer out of range is an error. */
  public static DTypeConversion of(DType from, DType to) {
    return of(from, to, RoundingPolicy.NEAREST_EVEN, RangePolicy.ERROR);
  }

  /**
   * Whether every value of {@code from} is one of {@code to}, and NaNs keep their payload: such a
   * conversion changes nothing whatever the rounding and the range, but for signalling NaNs of F32
   * and BF16, which become quiet in F64. Every other one is lossy, and for the user to ask for.
   */
  public static boolean isExact(DType from, DType to) {
    if (from == to) {
      return true;
    }
    NumberType numbers = NumberType.of(from);
    NumberType others = NumberType.of(to);
    return numbers != null && others != null && numbers.isWithin(others);
  }

  /** The type of what is read. */
  public DType from() {
    return from;
  }

  /** The type of what is written. */
  public DType to() {
    return to;
  }

  /** What all calls of {@link #convert} that returned have done so far. */
  public ConversionChanges changes() {
    return changes;
  }

  /**
   * Converts the whole elements that remain in {@code src} and moves both positions past them. The
   * buffers may have any byte order, alignment and kind, but not share memory.
   *
   * @throws BufferOverflowException where {@code dst} has no room for all of them
   * @throws OutOfRangeException under {@link RangePolicy#ERROR}; the positions are then as they
   *     were, and so is {@link #changes()}, but {@code dst} holds something else
   */
  public void convert(ByteBuffer src, ByteBuffer dst) {
    if (from == to) {
      copy(src, dst);
      return;
    }
    int fromBytes = from.bits() / Byte.SIZE;
    int toBytes = to.bits() / Byte.SIZE;
    int count = src.remaining() / fromBytes;
    if (dst.remaining() / toBytes < count) {
      throw new BufferOverflowException();
    }
    ChangeCounter tally = new ChangeCounter();
    LaneIo in = LaneIo.of(from, src, lanes);
    LaneIo out = LaneIo.of(to, dst, lanes);
    for (int done = 0; done < count; ) {
      int n = Math.min(LaneBuffer.SIZE, count - done);
      tally.base = done;
      in.get(n);
      for (LaneBuffer.Step step : steps) {
        step.run(lanes, n, tally);
      }
      out.put(n);
      done += n;
    }
    src.position(src.position() + count * fromBytes);
    dst.position(dst.position() + count * toBytes);
    changes = changes.plus(tally.changes(count));
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
