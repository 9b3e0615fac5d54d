package org.saevhadoop.format.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DTypeConversionTest {
  private static final Set<DType> NUMBERS =
      EnumSet.of(
          DType.F16,
          DType.BF16,
          DType.F32,
          DType.F64,
          DType.I8,
          DType.U8,
          DType.I16,
          DType.U16,
          DType.I32,
          DType.U32,
          DType.I64,
          DType.U64);
  private static final Set<DType> SOURCES = EnumSet.copyOf(NUMBERS);

  static {
    SOURCES.addAll(Float8ConversionTest.TYPES);
  }

  @Test
  void exactAreTheTypesThatHaveEveryValue() {
    Map<DType, Set<DType>> exact = new EnumMap<>(DType.class);
    for (DType from : DType.values()) {
      for (DType to : DType.values()) {
        if (from != to && DTypeConversion.isExact(from, to)) {
          exact.computeIfAbsent(from, f -> EnumSet.noneOf(DType.class)).add(to);
        }
      }
      assertThat(DTypeConversion.isExact(from, from)).isTrue();
    }
    Map<DType, Set<DType>> expected = new EnumMap<>(DType.class);
    expected.put(DType.F16, EnumSet.of(DType.F32, DType.F64));
    expected.put(DType.BF16, EnumSet.of(DType.F32, DType.F64));
    expected.put(DType.F32, EnumSet.of(DType.F64));
    EnumSet<DType> floats = EnumSet.of(DType.F32, DType.F64);
    expected.put(DType.I16, with(floats, DType.I32, DType.I64));
    expected.put(DType.U16, with(floats, DType.I32, DType.I64, DType.U32, DType.U64));
    expected.put(DType.I32, EnumSet.of(DType.F64, DType.I64));
    expected.put(DType.U32, EnumSet.of(DType.F64, DType.I64, DType.U64));
    floats.addAll(Set.of(DType.F16, DType.BF16));
    expected.put(DType.I8, with(floats, DType.I16, DType.I32, DType.I64));
    expected.put(
        DType.U8, with(floats, DType.I16, DType.I32, DType.I64, DType.U16, DType.U32, DType.U64));
    Float8ConversionTest.TYPES.forEach(type -> expected.put(type, floats));
    expected.put(DType.F8_E8M0, EnumSet.of(DType.BF16, DType.F32, DType.F64));
    assertThat(exact).isEqualTo(expected);
  }

  private static Set<DType> with(Set<DType> some, DType... more) {
    EnumSet<DType> all = EnumSet.copyOf(some);
    all.addAll(Arrays.asList(more));
    return all;
  }

  @Test
  void everyNumberConvertsToEveryOtherAndNothingElseDoes() {
    for (DType from : DType.values()) {
      for (DType to : DType.values()) {
        if (from == to || SOURCES.contains(from) && NUMBERS.contains(to)) {
          DTypeConversion conversion = DTypeConversion.of(from, to);
          assertThat(conversion.from()).isEqualTo(from);
          assertThat(conversion.to()).isEqualTo(to);
        } else {
          assertThatIllegalArgumentException()
              .isThrownBy(() -> DTypeConversion.of(from, to))
              .withMessage("no conversion from %s to %s", from, to);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(DType.class)
  void aTypeToItselfIsACopyOfItsWholeElements(DType type) {
    byte[] bytes = new byte[31];
    new Random(1).nextBytes(bytes);
    ByteBuffer source = ByteBuffer.wrap(bytes, 1, 30);
    ByteBuffer target = ByteBuffer.allocate(31).position(1);
    DTypeConversion conversion = DTypeConversion.of(type, type);
    conversion.convert(source, target);
    int length = type == DType.C64 || type.bits() == 64 ? 24 : type.bits() == 32 ? 28 : 30;
    assertThat(source.position()).isEqualTo(1 + length);
    assertThat(target.position()).isEqualTo(1 + length);
    assertThat(Arrays.copyOfRange(target.array(), 1, 1 + length))
        .isEqualTo(Arrays.copyOfRange(bytes, 1, 1 + length));
    assertThat(conversion.changes())
        .isEqualTo(new ConversionChanges(length * 8L / type.bits(), 0, 0, 0, 0));
  }

  @Test
  void anElementThatIsNotWholeStaysInTheBuffer() {
    ByteBuffer source = ByteBuffer.wrap(new byte[] {9, 0, 0, -128, 63, 0, 0, 0}, 1, 7);
    ByteBuffer target = ByteBuffer.allocate(9).position(3);
    DTypeConversion conversion = DTypeConversion.of(DType.F32, DType.BF16);
    conversion.convert(source, target);
    assertThat(source.position()).isEqualTo(5);
    assertThat(target.position()).isEqualTo(5);
    assertThat(target.order(ByteOrder.LITTLE_ENDIAN).getShort(3)).isEqualTo((short) 0x3f80);
    assertThat(conversion.changes()).isEqualTo(new ConversionChanges(1, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "F32"})
  void tooLittleRoomChangesNothing(DType to) {
    ByteBuffer source = ByteBuffer.allocate(12);
    ByteBuffer target = ByteBuffer.allocate(5);
    DTypeConversion conversion = DTypeConversion.of(DType.F32, to);
    assertThatExceptionOfType(BufferOverflowException.class)
        .isThrownBy(() -> conversion.convert(source, target));
    assertThat(source.position()).isZero();
    assertThat(target.position()).isZero();
    assertThat(conversion.changes().values()).isZero();
  }

  /** More than the lanes hold, and no multiple of them. */
  @ParameterizedTest
  @CsvSource({"F32, F16", "F16, F32", "F64, I8", "I8, F64", "U64, BF16", "I32, U16", "F64, F32"})
  void buffersOfAnyKindOrderAndAlignmentConvertAlike(DType from, DType to) {
    long[] bits = new long[3 * LaneBuffer.SIZE + 7];
    Arrays.setAll(bits, i -> i * 0x9e3779b97f4a7c15L);
    ByteBuffer plain = Elements.bytes(from, bits);
    DTypeConversion first =
        DTypeConversion.of(from, to, RoundingPolicy.NEAREST_EVEN, RangePolicy.SATURATE);
    ByteBuffer expected = Elements.converted(first, plain);
    ByteBuffer source = ByteBuffer.allocateDirect(plain.remaining() + 1).position(1);
    source.put(plain.duplicate()).position(1);
    ByteBuffer target = ByteBuffer.allocateDirect(expected.remaining() + 3).position(3);
    DTypeConversion second =
        DTypeConversion.of(from, to, RoundingPolicy.NEAREST_EVEN, RangePolicy.SATURATE);
    second.convert(source.asReadOnlyBuffer(), target.order(ByteOrder.BIG_ENDIAN));
    assertThat(target.flip().position(3)).isEqualTo(expected);
    assertThat(second.changes()).isEqualTo(first.changes());
    assertThat(target.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    second.convert(plain, ByteBuffer.allocate(expected.remaining()));
    assertThat(second.changes()).isEqualTo(first.changes().plus(first.changes()));
  }

  @Test
  void changesReportWhatHappenedToTheValues() {
    float[] values = {1, 1.0001f, 1e-30f, 70000, -1e30f, Float.POSITIVE_INFINITY, Float.NaN, -0f};
    long[] bits = new long[values.length + 1];
    Arrays.setAll(bits, i -> i == values.length ? 0x7fc00001 : Float.floatToIntBits(values[i]));
    DTypeConversion conversion = DTypeConversion.of(DType.F32, DType.F16);
    Elements.converted(conversion, bits);
    assertThat(conversion.changes()).isEqualTo(new ConversionChanges(9, 2, 2, 0, 1));
    assertThat(conversion.changes().changed()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "F32, F16, 7f800001, 7c01, 1",
    "F32, F16, ff802000, fc01, 0",
    "F32, F16, 7fc00000, 7e00, 0",
    "F32, F16, ffffffff, ffff, 1",
    "F32, BF16, 7f800001, 7fc0, 1",
    "F32, BF16, ff810000, ffc0, 1",
    "F32, BF16, 7fffffff, 7fc0, 1",
    "F32, BF16, 7fc10000, 7fc0, 1",
    "F32, BF16, ffc00000, ffc0, 0",
    "F64, F32, 7ff0000000000001, 7fc00000, 1",
    "F64, F32, fff8000020000000, ffc00001, 0",
    "F64, F32, 7ff0000020000000, 7fc00001, 1",
    "F64, F16, 7ff0000000000001, 7c01, 1",
    "F64, F16, 7ff0040000000000, 7c01, 0",
    "F64, BF16, fff0000000000001, ffc0, 1",
    "F16, F32, fc01, ff802000, 0",
    "BF16, F32, 7f81, 7f810000, 0",
    "F32, F64, ff800001, fff8000020000000, 1",
    "F32, F64, 7fc00001, 7ff8000020000000, 0",
    "F64, BF16, 7ff8000000000000, 7fc0, 0",
    "F64, BF16, fff8200000000000, ffc0, 1",
    "F16, F64, fc01, fff0040000000000, 0",
    "BF16, F64, 7f81, 7ff8200000000000, 1",
    "BF16, F64, ffc1, fff8200000000000, 0",
    "F16, BF16, 7c01, 7fc0, 1",
    "F16, BF16, fe00, ffc0, 0",
    "BF16, F16, 7f81, 7e00, 1",
    "BF16, F16, ffff, fe00, 1",
    "BF16, F16, 7fc0, 7e00, 0"
  })
  void aNanStaysOne(DType from, DType to, String bits, String expected, int changed) {
    DTypeConversion conversion = DTypeConversion.of(from, to);
    assertThat(Elements.converted(conversion, Long.parseUnsignedLong(bits, 16)))
        .containsExactly(Long.parseUnsignedLong(expected, 16));
    assertThat(conversion.changes()).isEqualTo(new ConversionChanges(1, 0, 0, 0, changed));
  }

  @ParameterizedTest
  @CsvSource({
    "F64, I8, 127.9, 127, 127, false",
    "F64, I8, 128, 127, -128, true",
    "F64, I8, -128.9, -128, -128, false",
    "F64, I8, -129, -128, 127, true",
    "F64, U8, -0.9, 0, 0, false",
    "F64, U8, -1, 0, 255, true",
    "F64, U8, 256, 255, 0, true",
    "F64, U16, 65536, 65535, 0, true",
    "F64, I16, -32769, -32768, 32767, true",
    "F64, I32, 2147483647.5, 2147483647, 2147483647, false",
    "F64, I32, 2147483648, 2147483647, -2147483648, true",
    "F64, U32, 1e30, 4294967295, 0, true",
    "F64, U32, -1e10, 0, 2884901888, true",
    "F64, I64, 9223372036854775807, 9223372036854775807, -9223372036854775808, true",
    "F64, I64, -9223372036854775808, -9223372036854775808, -9223372036854775808, false",
    "F64, U64, 9223372036854775808, 9223372036854775808, 9223372036854775808, false",
    "F64, U64, 18446744073709549568, 18446744073709549568, 18446744073709549568, false",
    "F64, U64, 18446744073709551616, 18446744073709551615, 0, true",
    "F64, I64, 55340232221128654848, 9223372036854775807, 0, true",
    "F64, U64, -3, 0, 18446744073709551613, true",
    "F64, U64, 0.5, 0, 0, false",
    "F32, I16, Infinity, 32767, 0, true",
    "F64, I32, -Infinity, -2147483648, 0, true"
  })
  void aFloatOutOfRangeIsSaturatedOrWrappedOrAnError(
      DType from, DType to, double value, String saturated, String wrapped, boolean outside) {
    long bits =
        from == DType.F32
            ? Float.floatToRawIntBits((float) value)
            : Double.doubleToRawLongBits(value);
    assertRange(from, to, bits, saturated, wrapped, outside);
  }

  @ParameterizedTest
  @CsvSource({
    "I16, I8, 128, 127, -128, true",
    "I16, U8, -1, 0, 255, true",
    "U16, I16, 32768, 32767, -32768, true",
    "I64, U64, -1, 0, 18446744073709551615, true",
    "I64, U64, 5, 5, 5, false",
    "U64, I64, -1, 9223372036854775807, -1, true",
    "U64, U8, -1, 255, 255, true",
    "U64, I64, 7, 7, 7, false",
    "U32, I32, 4294967295, 2147483647, -1, true",
    "I64, I32, -2147483649, -2147483648, 2147483647, true",
    "I8, U64, -1, 0, 18446744073709551615, true",
    "I32, U32, -1, 0, 4294967295, true",
    "I64, U32, 4294967295, 4294967295, 4294967295, false"
  })
  void anIntegerOutOfRangeIsSaturatedOrWrappedOrAnError(
      DType from, DType to, long bits, String saturated, String wrapped, boolean outside) {
    assertRange(from, to, bits, saturated, wrapped, outside);
  }

  private static void assertRange(
      DType from, DType to, long bits, String saturated, String wrapped, boolean outside) {
    for (RangePolicy range : new RangePolicy[] {RangePolicy.SATURATE, RangePolicy.WRAP}) {
      DTypeConversion conversion = DTypeConversion.of(from, to, RoundingPolicy.NEAREST_EVEN, range);
      long result = Elements.converted(conversion, bits)[0];
      assertThat(Elements.integer(to, result))
          .hasToString(range == RangePolicy.SATURATE ? saturated : wrapped);
      assertThat(conversion.changes().outOfRange()).isEqualTo(outside ? 1 : 0);
    }
    if (outside) {
      assertThatExceptionOfType(OutOfRangeException.class)
          .isThrownBy(() -> Elements.converted(DTypeConversion.of(from, to), bits));
    } else {
      Elements.converted(DTypeConversion.of(from, to), bits);
    }
  }

  @Test
  void aNanIsAZeroAmongIntegersUnlessItIsAnError() {
    long[] values = {0x7fc00000, 0xffc00000L, 0x3fc00000};
    for (RangePolicy range : new RangePolicy[] {RangePolicy.SATURATE, RangePolicy.WRAP}) {
      DTypeConversion conversion =
          DTypeConversion.of(DType.F32, DType.U8, RoundingPolicy.NEAREST_EVEN, range);
      assertThat(Elements.converted(conversion, values)).containsExactly(0, 0, 1);
      assertThat(conversion.changes()).isEqualTo(new ConversionChanges(3, 1, 0, 0, 2));
    }
    assertThatExceptionOfType(OutOfRangeException.class)
        .isThrownBy(() -> Elements.converted(DTypeConversion.of(DType.F32, DType.I64), values))
        .withMessage("element 0 is NaN, which I64 cannot hold");
  }

  @Test
  void anErrorReportsWhichElementAndLeavesThePositionsAndTheCounts() {
    long[] values = new long[2 * LaneBuffer.SIZE];
    int index = LaneBuffer.SIZE + 3;
    values[index] = -1;
    ByteBuffer source = Elements.bytes(DType.U64, values);
    ByteBuffer target = ByteBuffer.allocate(4 * values.length);
    DTypeConversion conversion = DTypeConversion.of(DType.U64, DType.U32);
    assertThatExceptionOfType(OutOfRangeException.class)
        .isThrownBy(() -> conversion.convert(source, target))
        .withMessage("element %d is 18446744073709551615, which U32 cannot hold", index);
    assertThat(source.position()).isZero();
    assertThat(target.position()).isZero();
    assertThat(conversion.changes()).isEqualTo(new ConversionChanges(0, 0, 0, 0, 0));
  }
}
