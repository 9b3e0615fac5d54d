package org.saevhadoop.format.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.format.TestExtent;

/** Every rounding against exact arithmetic. */
@Tag("late")
@Tag("sampled")
class RoundingPolicyTest {
  private static final int COUNT = TestExtent.of(500, 5_000);

  private final Random random = new Random(42);

  @ParameterizedTest
  @CsvSource({
    "F32, F16",
    "F32, BF16",
    "F64, F16",
    "F64, BF16",
    "F64, F32",
    "BF16, F16",
    "F16, BF16"
  })
  void aFloatBecomesTheNearestOne(DType from, DType to) {
    FloatFormat source = FloatFormat.of(from);
    long[] bits = samples(source, FloatFormat.of(to));
    DTypeConversion conversion = DTypeConversion.of(from, to);
    long[] results = Elements.converted(conversion, bits);
    assertEachAlike(conversion, bits, results);
    long rounded = 0;
    long overflowed = 0;
    for (int i = 0; i < bits.length; i++) {
      FloatFormat target = FloatFormat.of(to);
      String what = "%s %x became %x";
      assertThat(target.sign(results[i]))
          .as(what, from, bits[i], results[i])
          .isEqualTo(source.sign(bits[i]));
      if (source.isInfinite(bits[i])) {
        assertThat(target.isInfinite(results[i])).as(what, from, bits[i], results[i]).isTrue();
        continue;
      }
      BigDecimal exact = source.value(bits[i]);
      assertThat(target.isNearest(results[i], exact)).as(what, from, bits[i], results[i]).isTrue();
      boolean same = target.value(results[i]).compareTo(exact) == 0;
      if (target.isInfinite(results[i])) {
        overflowed++;
      } else if (!same) {
        rounded++;
      }
    }
    assertThat(conversion.changes())
        .isEqualTo(new ConversionChanges(bits.length, rounded, overflowed, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "I64, F64", "U64, F64", "I64, F32", "U64, F32", "I64, F16", "U64, F16", "I64, BF16",
    "U64, BF16", "I32, F32", "U32, F32", "I32, F16", "U32, BF16", "I16, F16", "U16, BF16"
  })
  void anIntegerBecomesTheNearestFloat(DType from, DType to) {
    FloatFormat target = FloatFormat.of(to);
    long[] bits = integers(from);
    DTypeConversion conversion = DTypeConversion.of(from, to);
    long[] results = Elements.converted(conversion, bits);
    long rounded = 0;
    long overflowed = 0;
    for (int i = 0; i < bits.length; i++) {
      BigDecimal exact = Elements.integer(from, bits[i]);
      String what = "%s became %x";
      assertThat(target.isNearest(results[i], exact)).as(what, exact, results[i]).isTrue();
      assertThat(target.sign(results[i]))
          .as(what, exact, results[i])
          .isEqualTo(exact.signum() < 0 ? 1 : 0);
      if (target.isInfinite(results[i])) {
        overflowed++;
      } else if (target.value(results[i]).compareTo(exact) != 0) {
        rounded++;
      }
    }
    assertThat(conversion.changes())
        .isEqualTo(new ConversionChanges(bits.length, rounded, overflowed, 0, 0));
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void truncatedFloatsAreTheNextTowardsZeroWithoutSubnormalHalves(DType to) {
    FloatFormat source = FloatFormat.of(DType.F32);
    FloatFormat target = FloatFormat.of(to);
    long[] bits = samples(source, target);
    DTypeConversion conversion =
        DTypeConversion.of(DType.F32, to, RoundingPolicy.TRUNCATE, RangePolicy.ERROR);
    long[] results = Elements.converted(conversion, bits);
    for (int i = 0; i < bits.length; i++) {
      long expected = FloatFormat.towardsZero(bits[i], source, target);
      if (to == DType.F16 && expected < 1 << 10) {
        expected = 0;
      }
      assertThat(target.magnitude(results[i])).as("%x", bits[i]).isEqualTo(expected);
      assertThat(target.sign(results[i])).isEqualTo(source.sign(bits[i]));
    }
    assertThat(conversion.changes().changed()).isPositive();
  }

  /** Many at once are converted in another way where one of them is infinite or has no exponent. */
  private static void assertEachAlike(DTypeConversion conversion, long[] bits, long[] results) {
    DTypeConversion each = DTypeConversion.of(conversion.from(), conversion.to());
    for (int i = 0; i < bits.length; i++) {
      assertThat(Elements.converted(each, bits[i])[0]).as("%x", bits[i]).isEqualTo(results[i]);
    }
    assertThat(each.changes()).isEqualTo(conversion.changes());
  }

  @Test
  void truncatedDoublesAreRoundedToFloatsFirst() {
    double[] values = {1, 1 + 0x1p-10 - 0x1p-40, 65535.99, 65536, 6e-5, -6e-5, 1e300, 0x1p-1074};
    long[] bits = Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
    DTypeConversion half =
        DTypeConversion.of(DType.F64, DType.F16, RoundingPolicy.TRUNCATE, RangePolicy.ERROR);
    assertThat(Elements.converted(half, bits))
        .containsExactly(0x3c00, 0x3c01, 0x7bff, 0x7c00, 0, 0x8000, 0x7c00, 0);
    assertThat(half.changes()).isEqualTo(new ConversionChanges(8, 5, 2, 0, 0));
    DTypeConversion bfloat =
        DTypeConversion.of(DType.F64, DType.BF16, RoundingPolicy.TRUNCATE, RangePolicy.ERROR);
    assertThat(Elements.converted(bfloat, Double.doubleToRawLongBits(1 + 0x1p-7 - 0x1p-40)))
        .containsExactly(0x3f81);
    assertThat(bfloat.changes()).isEqualTo(new ConversionChanges(1, 1, 0, 0, 0));
  }

  @Test
  void theLargestNumbersOverflowWhereHalfAUnitIsMissing() {
    assertThat(nearest(DType.F16, 65519.996f, 65520, -65520))
        .containsExactly(0x7bff, 0x7c00, 0xfc00);
    assertThat(nearest(DType.BF16, 0x1.fefffep127f, 0x1.ffp127f, Float.MAX_VALUE))
        .containsExactly(0x7f7f, 0x7f80, 0x7f80);
    DTypeConversion conversion =
        DTypeConversion.of(DType.F32, DType.BF16, RoundingPolicy.TRUNCATE, RangePolicy.ERROR);
    assertThat(Elements.converted(conversion, 0x7f7fffff)).containsExactly(0x7f7f);
  }

  private static long[] nearest(DType to, float... values) {
    long[] bits = new long[values.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.floatToRawIntBits(values[i]);
    }
    return Elements.converted(DTypeConversion.of(DType.F32, to), bits);
  }

  /** No NaNs: random bits, random numbers that the target has, half ways, and those beside them. */
  private long[] samples(FloatFormat source, FloatFormat target) {
    long[] edges = {0, 1, source.infinity(), source.infinity() - 1, 1L << source.fractionBits()};
    LongStream bits = random.longs(COUNT);
    LongStream near =
        random
            .longs(COUNT)
            .map(l -> target.magnitude(l) % target.infinity())
            .flatMap(
                l -> {
                  double number = target.value(l).doubleValue();
                  double next = target.value(l + 1).doubleValue();
                  long found = encode(source, (l & 1) == 0 ? number : (number + next) / 2);
                  return LongStream.of(found - 1, found, found + 1);
                });
    return LongStream.concat(LongStream.concat(bits, near), Arrays.stream(edges))
        .flatMap(l -> LongStream.of(source.magnitude(l), l | 1L << (source.bits() - 1)))
        .map(l -> l & -1L >>> (Long.SIZE - source.bits()))
        .filter(l -> !source.isNan(l))
        .toArray();
  }

  /** Only to find interesting bits: what is cut off does not matter. */
  private static long encode(FloatFormat format, double value) {
    return switch (format.bits()) {
      case 64 -> Double.doubleToRawLongBits(value);
      case 32 -> Float.floatToRawIntBits((float) value) & 0xffffffffL;
      default ->
          format.fractionBits() == 7
              ? Float.floatToRawIntBits((float) value) >>> 16
              : (long) (value * 1024) & 0x7bff;
    };
  }

  /** Of every length, half ways of every precision, and those beside them. */
  private long[] integers(DType type) {
    LongStream some = random.longs(COUNT).map(l -> l >>> random.nextInt(type.bits()));
    LongStream ties =
        LongStream.range(0, type.bits())
            .flatMap(
                high ->
                    LongStream.rangeClosed(0, high)
                        .map(low -> 1L << high | 1L << low)
                        .flatMap(l -> LongStream.of(l - 1, l, l + 1)));
    return LongStream.concat(LongStream.concat(some, ties), LongStream.of(0, -1, 1L << 63))
        .flatMap(l -> LongStream.of(l, -l))
        .map(l -> l & -1L >>> (Long.SIZE - type.bits()))
        .toArray();
  }
}
