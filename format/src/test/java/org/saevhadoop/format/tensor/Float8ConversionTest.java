package org.saevhadoop.format.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** All values of the 8-bit floats, by the definitions of their specifications. */
class Float8ConversionTest {
  static final List<DType> TYPES =
      Stream.of(DType.values()).filter(type -> type.name().startsWith("F8_")).toList();

  private static final long[] ALL = LongStream.range(0, 256).toArray();

  /** Returns the number that an element stands for: OCP 8-bit Floating Point 1.0, table 1. */
  private static double value(DType type, int bits) {
    int fractionBits = type.name().contains("E4M3") ? 3 : 2;
    double sign = bits < 128 ? 1 : -1;
    int exponent = (bits & 127) >> fractionBits;
    double fraction = (bits & 127) / Math.scalb(1.0, fractionBits) - exponent;
    int bias =
        switch (type) {
          case F8_E4M3 -> 7;
          case F8_E5M2 -> 15;
          case F8_E4M3FNUZ -> 8;
          default -> 16;
        };
    if (type == DType.F8_E8M0) {
      return bits == 255 ? Double.NaN : Math.scalb(1.0, bits - 127);
    }
    if (type.name().endsWith("FNUZ") && bits == 128
        || type == DType.F8_E4M3 && exponent == 15 && fraction == 0.875
        || type == DType.F8_E5M2 && exponent == 31 && fraction > 0) {
      return Double.NaN;
    }
    if (type == DType.F8_E5M2 && exponent == 31) {
      return sign / 0.0;
    }
    return exponent == 0
        ? sign * Math.scalb(fraction, 1 - bias)
        : sign * Math.scalb(1 + fraction, exponent - bias);
  }

  @ParameterizedTest
  @FieldSource("TYPES")
  void eachOf256ValuesBecomesTheSameNumber(DType type) {
    for (DType to : List.of(DType.F16, DType.BF16, DType.F32, DType.F64)) {
      DTypeConversion conversion = DTypeConversion.of(type, to);
      long[] found = Elements.converted(conversion, ALL);
      for (int bits = 0; bits < 256; bits++) {
        double value = value(type, bits);
        if (type == DType.F8_E8M0 && to == DType.F16 && !(value >= 0x1p-24 && value < 0x1p16)) {
          continue; // powers of two beyond the range of F16
        }
        boolean isNegative = bits >= 128 && type != DType.F8_E8M0;
        assertThat(found[bits])
            .as("%s %x as %s", type, bits, to)
            .isEqualTo(Double.isNaN(value) ? quiet(to, isNegative) : stored(to, value));
      }
      assertThat(conversion.changes().changed() == 0)
          .isEqualTo(type != DType.F8_E8M0 || to != DType.F16);
    }
  }

  @ParameterizedTest
  @FieldSource("TYPES")
  void anExactConversionIsTheSameUnderAnyPolicy(DType type) {
    for (DType to : DType.values()) {
      if (to != type && DTypeConversion.isExact(type, to)) {
        assertThat(
                Elements.converted(
                    DTypeConversion.of(type, to, RoundingPolicy.TRUNCATE, RangePolicy.ERROR), ALL))
            .isEqualTo(Elements.converted(DTypeConversion.of(type, to), ALL));
      }
    }
  }

  @ParameterizedTest // astype of ml_dtypes 0.6.0, which truncates and saturates as numpy does
  @CsvSource({"F8_E4M3, 0x77, 240", "F8_E4M3, 0x3f, 1", "F8_E5M2, 0xc3, 253"})
  void integersAreCutOff(DType type, int bits, long expected) {
    DTypeConversion conversion =
        DTypeConversion.of(type, DType.U8, RoundingPolicy.NEAREST_EVEN, RangePolicy.WRAP);
    assertThat(Elements.converted(conversion, bits)).containsExactly(expected);
  }

  private static long quiet(DType to, boolean isNegative) {
    FloatFormat format = FloatFormat.of(to);
    long bits = format.infinity() | 1L << format.fractionBits() - 1;
    return isNegative ? bits | 1L << format.bits() - 1 : bits;
  }

  /** Returns the only bits of a format whose value is a number that it represents. */
  private static long stored(DType to, double value) {
    FloatFormat format = FloatFormat.of(to);
    long sign = Double.doubleToRawLongBits(value) < 0 ? 1L << format.bits() - 1 : 0;
    double magnitude = Math.abs(value);
    int bias = (1 << format.exponentBits() - 1) - 1;
    if (magnitude == 0 || Double.isInfinite(magnitude)) {
      return sign | (magnitude == 0 ? 0 : format.infinity());
    }
    int exponent = Math.max(Math.getExponent(magnitude), 1 - bias);
    long significand = (long) Math.scalb(magnitude, format.fractionBits() - exponent);
    // the implicit bit adds one to the exponent
    return sign | ((long) (exponent + bias - 1) << format.fractionBits()) + significand;
  }
}
