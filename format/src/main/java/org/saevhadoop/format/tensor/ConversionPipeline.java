package org.saevhadoop.format.tensor;

import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.tensor.LaneBuffer.Step;

/**
 * The steps of a conversion from one type to another. Every step except the last is either exact or
 * marks an inexact result by setting its last bit, so the last step rounds as if from the exact
 * value and counts every change. Under {@link RoundingPolicy#TRUNCATE}, integers that an int cannot
 * represent pass through the nearest double.
 */
final class ConversionPipeline {
  private final DType from;
  private final DType to;
  private final boolean truncate;
  private final RangePolicy range;
  private final List<Step> steps = new ArrayList<>();

  private ConversionPipeline(DType from, DType to, RoundingPolicy rounding, RangePolicy range) {
    this.from = from;
    this.to = to;
    this.truncate = rounding == RoundingPolicy.TRUNCATE && !DTypeConversion.isExact(from, to);
    this.range = range;
  }

  /**
   * Returns the steps that convert values of type {@code from} to the different type {@code to}.
   */
  static List<Step> of(DType from, DType to, RoundingPolicy rounding, RangePolicy range) {
    ConversionPipeline plan = new ConversionPipeline(from, to, rounding, range);
    switch (from) {
      case F16, BF16, F32, F8_E4M3, F8_E5M2, F8_E8M0, F8_E4M3FNUZ, F8_E5M2FNUZ -> plan.fromSingle();
      case F64 -> plan.fromDouble();
      default -> plan.fromInteger();
    }
    return plan.steps;
  }

  /** Returns the steps that convert to F64, change the values, and convert from F64. */
  static List<Step> changing(
      DType from, DoubleChange change, DType to, RoundingPolicy rounding, RangePolicy range) {
    List<Step> steps = new ArrayList<>();
    if (from != DType.F64) {
      steps.addAll(of(from, DType.F64, rounding, range));
    }
    double[] values = new double[LaneBuffer.SIZE];
    steps.add((lanes, count, counter) -> change(change, values, lanes.longs, count, counter.base));
    if (to != DType.F64) {
      steps.addAll(of(DType.F64, to, rounding, range));
    }
    return steps;
  }

  private static void change(
      DoubleChange change, double[] values, long[] bits, int count, long index) {
    for (int i = 0; i < count; i++) {
      values[i] = Double.longBitsToDouble(bits[i]);
    }
    change.apply(values, count, index);
    for (int i = 0; i < count; i++) {
      bits[i] = Double.doubleToRawLongBits(values[i]);
    }
  }

  private void fromSingle() {
    if (from == DType.F16) {
      steps.add(ToSingle::fromHalf);
    } else if (from == DType.BF16) {
      steps.add(ToSingle::fromBfloat);
    } else if (from != DType.F32) {
      steps.add(SmallFloat.toSingle(from));
    }
    switch (to) {
      case F32 -> {}
      case F16 -> {
        if (from == DType.BF16 && !truncate) {
          steps.add(ToSingle::dropPayloads);
        }
        steps.add(truncate ? ToHalf::truncated : ToHalf::nearest);
      }
      case BF16 -> steps.add(truncate ? ToBfloat::truncated : ToBfloat::nearest);
      default -> {
        steps.add(from == DType.F16 ? ToDouble::fromSingleOfHalf : ToDouble::fromSingle);
        fromDouble();
      }
    }
  }

  private void fromDouble() {
    switch (to) {
      case F64 -> {}
      case F32 -> steps.add(ToSingle::nearest);
      case F16, BF16 -> {
        boolean isHalf = to == DType.F16;
        if (truncate) {
          steps.add(isHalf ? ToHalf::truncatedDouble : ToBfloat::truncatedDouble);
        } else {
          steps.add(ToSingle::odd);
          steps.add(isHalf ? ToHalf::nearest : ToBfloat::nearest);
        }
      }
      default -> {
        steps.add(toInteger()::fromDouble);
        steps.add(IntegerCodec.pack(to));
      }
    }
  }

  private void fromInteger() {
    steps.add(IntegerCodec.unpack(from));
    boolean unsigned = from == DType.U64;
    boolean throughDouble = truncate && (from.bits() == 64 || from == DType.U32);
    if (NumberType.of(to).isInteger() && !throughDouble) {
      ToInteger last = toInteger();
      steps.add(unsigned ? last::fromUnsigned : last::fromSigned);
      steps.add(IntegerCodec.pack(to));
      return;
    }
    if (to == DType.F64 || throughDouble) {
      steps.add(unsigned ? ToDouble::fromUnsigned : ToDouble::fromSigned);
    } else {
      steps.add(unsigned ? ToDouble::fromUnsignedOdd : ToDouble::fromSignedOdd);
    }
    fromDouble();
  }

  private ToInteger toInteger() {
    return new ToInteger(
        to, truncate ? RoundingPolicy.TRUNCATE : RoundingPolicy.NEAREST_EVEN, range);
  }
}
