package org.saevhadoop.jobs.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;

class ValueComparisonTest {
  private static final int NAN = 0x7fc00000;
  private static final int OTHER_NAN = 0x7fc00001;
  private static final float UP = Math.nextUp(1f);

  private static ByteBuffer floats(float... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES);
    bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(values);
    return bytes;
  }

  private static ByteBuffer longs(long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES);
    bytes.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(values);
    return bytes;
  }

  private static ByteBuffer shorts(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Short.BYTES);
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      bytes.putShort((short) value);
    }
    return bytes.flip();
  }

  private static ColumnDifference compare(
      DType typeA, ByteBuffer a, DType typeB, ByteBuffer b, String tolerance, boolean nanEqual)
      throws FormatException {
    ColumnDifference found = new ColumnDifference();
    new ValueComparison("b", typeA, typeB, Tolerance.parse(tolerance), nanEqual)
        .compare(a, b, 7, 1, 2, found);
    return found;
  }

  private static ColumnDifference compare(ByteBuffer a, ByteBuffer b, String tolerance)
      throws FormatException {
    return compare(DType.F32, a, DType.F32, b, tolerance, false);
  }

  @Test
  void equalBlocksHaveNoDifference() throws FormatException {
    ColumnDifference found = compare(floats(1, 2, Float.NaN), floats(1, 2, Float.NaN), "bits");
    assertThat(found.bits + found.values + found.vectors + found.blocks).isZero();
  }

  @Test
  void valuesVectorsAndBlocksAreCountedAndListed() throws FormatException {
    ColumnDifference found =
        compare(floats(0, 1, 2, 3, 4, 5), floats(0, 1.5f, -2, 3.5f, 4, 5), "bits");
    assertThat(found.values).isEqualTo(3);
    assertThat(found.vectors).isEqualTo(2);
    assertThat(found.blocks).isEqualTo(1);
    assertThat(found.maxAbs).isEqualTo(4);
    assertThat(found.maxRel).isEqualTo(2);
    assertThat(found.first())
        .containsExactly(
            new ValuePair(7, 1, 0, 1, "1.0", "1.5"),
            new ValuePair(7, 1, 1, 0, "2.0", "-2.0"),
            new ValuePair(7, 1, 1, 1, "3.0", "3.5"));
  }

  @Test
  void negativeZeroDiffersBitByBitAndHasNoDistance() throws FormatException {
    ColumnDifference found = compare(floats(0f), floats(-0f), "bits");
    assertThat(found.values).isEqualTo(1);
    assertThat(found.maxAbs + found.maxRel + found.maxUlp).isZero();
    for (String tolerance : List.of("abs:0", "rel:0", "ulp:0", "bf16")) {
      ColumnDifference tolerated = compare(floats(0f), floats(-0f), tolerance);
      assertThat(tolerated.values).as(tolerance).isZero();
      assertThat(tolerated.bits).isEqualTo(1);
    }
  }

  @Test
  void nansAreEqualIfTheirBitsAreOrIfThatIsAsked() throws FormatException {
    ByteBuffer a = floats(Float.intBitsToFloat(NAN));
    ByteBuffer b = floats(Float.intBitsToFloat(OTHER_NAN));
    assertThat(compare(a, b, "abs:1e30").nonFinite).isEqualTo(1);
    ColumnDifference equal = compare(DType.F32, a, DType.F32, b, "bits", true);
    assertThat(equal.values + equal.nonFinite).isZero();
    assertThat(equal.bits).isEqualTo(1);
    assertThat(compare(DType.F32, a, DType.F32, floats(1), "bits", true).values).isEqualTo(1);
  }

  @Test
  void infinitiesEqualOnlyThemselvesWhateverTheTolerance() throws FormatException {
    for (String tolerance : List.of("bits", "abs:1e308", "rel:1e308", "ulp:9e18", "bf16")) {
      ByteBuffer infinite = floats(Float.POSITIVE_INFINITY);
      assertThat(compare(infinite, floats(Float.MAX_VALUE), tolerance).nonFinite).isEqualTo(1);
      assertThat(compare(infinite, floats(Float.NEGATIVE_INFINITY), tolerance).nonFinite)
          .isEqualTo(1);
      ColumnDifference same = compare(infinite, floats(Float.POSITIVE_INFINITY), tolerance);
      assertThat(same.bits).isZero();
      assertThat(compare(infinite, floats(1), tolerance).maxAbs).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "abs:0.5, 1, 1.5, 0", "abs:0.4, 1, 1.5, 1",
    "rel:0.34, 1, 1.5, 0", "rel:0.33, 1, 1.5, 1",
    "ulp:4194304, 1, 1.5, 0", "ulp:4194303, 1, 1.5, 1",
    "ulp:2, -1e-45, 1e-45, 0", "ulp:1, -1e-45, 1e-45, 1",
    "bf16, 1, 1.003, 0", "bf16, 1, 1.004, 1"
  })
  void toleranceIncludesItsLimit(String tolerance, float a, float b, long values)
      throws FormatException {
    assertThat(compare(floats(a), floats(b), tolerance).values).isEqualTo(values);
    assertThat(compare(floats(b), floats(a), tolerance).values).isEqualTo(values);
  }

  @Test
  void valuesOfTwoTypesAreWidenedAndStepsAreThoseOfTheNarrower() throws FormatException {
    ByteBuffer halves = shorts(0x3f80, 0x4000); // bfloat16 1 and 2
    ColumnDifference equal = compare(DType.BF16, halves, DType.F32, floats(1, 2), "bits", false);
    assertThat(equal.bits).isZero();
    ColumnDifference steps =
        compare(DType.F32, floats(1, UP), DType.BF16, shorts(0x3f82, 0x3f80), "bits", false);
    assertThat(steps.values).isEqualTo(2);
    assertThat(steps.maxUlp).isEqualTo(2);
    assertThat(steps.first().get(1)).isEqualTo(new ValuePair(7, 1, 0, 1, "1.0000001", "1.0"));
  }

  @Test
  void twoTypesOfWhichNeitherIncludesTheOtherAreComparedInAThird() throws FormatException {
    ByteBuffer half = shorts(0x3c00); // float16 1
    assertThat(compare(DType.F16, half, DType.BF16, shorts(0x3f80), "bits", false).bits).isZero();
    assertThat(
            compare(
                    DType.U8,
                    ByteBuffer.wrap(new byte[] {-1}),
                    DType.I16,
                    shorts(255),
                    "bits",
                    false)
                .bits)
        .isZero();
    assertThatThrownBy(() -> compare(DType.I64, longs(1), DType.F64, longs(1), "bits", false))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("no type represents all values of I64 and F64");
  }

  @Test
  void integersOf64BitsHaveExactDistances() throws FormatException {
    ColumnDifference found =
        compare(
            DType.I64,
            longs(Long.MAX_VALUE, 1L << 60),
            DType.I64,
            longs(Long.MIN_VALUE, (1L << 60) + 1),
            "abs:1",
            false);
    assertThat(found.values).isEqualTo(1);
    assertThat(found.maxAbs).isEqualTo(0x1p64);
    assertThat(found.maxUlp).isEqualTo(-1); // 2^64 - 1
    assertThat(found.first().get(0).a()).isEqualTo("9223372036854775807");
    ColumnDifference unsigned = compare(DType.U64, longs(-1), DType.U64, longs(1), "bits", false);
    assertThat(unsigned.first().get(0).a()).isEqualTo("18446744073709551615");
    assertThat(unsigned.maxAbs).isEqualTo(0x1p64 - 2);
  }

  @Test
  void distancesBeyondTheRangeOfDoublesAreInfiniteAndRatiosAreNot() throws FormatException {
    long max = Double.doubleToLongBits(Double.MAX_VALUE);
    long min = Double.doubleToLongBits(-Double.MAX_VALUE);
    ColumnDifference found = compare(DType.F64, longs(max), DType.F64, longs(min), "bits", false);
    assertThat(found.maxAbs).isInfinite();
    assertThat(found.maxRel).isEqualTo(2);
    assertThat(found.maxUlp).isEqualTo(2 * max);
    assertThat(found.nonFinite).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, 18437736874454810622",
    "0x1.fffffffffffffp1023, -0x0.0000000000001p-1022, 9218868437227405312",
    "0x0.0000000000001p-1022, -0x0.0000000000001p-1022, 2",
    "-0.0, 0.0, 0",
    "-0.0, 0x0.0000000000001p-1022, 1",
    "0x0.fffffffffffffp-1022, 0x1.0p-1022, 1",
    "-0x1.0p0, 0x1.0p0, 9214364837600034816",
    "-0x1.0p1, 0x1.0p1, 9223372036854775808",
    "-0x1.0p1, 0x1.fffffffffffffp0, 9223372036854775807"
  })
  void stepsOf64BitsAreExact(double a, double b, String expected) throws FormatException {
    BigInteger steps = new BigInteger(expected);
    ByteBuffer x = longs(Double.doubleToRawLongBits(a));
    ByteBuffer y = longs(Double.doubleToRawLongBits(b));
    assertThat(Long.toUnsignedString(compare(DType.F64, x, DType.F64, y, "bits", false).maxUlp))
        .isEqualTo(expected);
    assertThat(compare(DType.F64, y, DType.F64, x, "bits", false).maxUlp)
        .isEqualTo(steps.longValue());
    double limit = steps.doubleValue();
    BigInteger rounded = new BigDecimal(limit).toBigInteger();
    assertThat(compare(DType.F64, x, DType.F64, y, "ulp:" + limit, false).values)
        .isEqualTo(steps.compareTo(rounded) > 0 ? 1 : 0);
  }

  @Test
  void theLargestOfStepsIsThatOfUnsignedIntegers() throws FormatException {
    long max = Double.doubleToRawLongBits(Double.MAX_VALUE);
    long min = Double.doubleToRawLongBits(-Double.MAX_VALUE);
    ColumnDifference sum =
        compare(DType.F64, longs(max, 0, 0), DType.F64, longs(min, 0, 1), "bits", false);
    sum.add(compare(DType.F64, longs(0), DType.F64, longs(1), "bits", false));
    assertThat(sum.maxUlp).isEqualTo(2 * max);
  }

  @Test
  void floatsOf8BitsAreComparedWithEachOtherAndWithWiderOnes() throws FormatException {
    ByteBuffer eights = ByteBuffer.wrap(new byte[] {0x38, (byte) 0xb8, 0x01}); // 1, -1, 2^-9
    ByteBuffer singles = floats(1, -1, 0x1p-9f);
    assertThat(compare(DType.F8_E4M3, eights.duplicate(), DType.F32, singles, "bits", false).bits)
        .isZero();
    ColumnDifference steps =
        compare(DType.F32, floats(UP, -1, 0), DType.F8_E4M3, eights.duplicate(), "bits", false);
    assertThat(steps.values).isEqualTo(2);
    assertThat(steps.maxUlp).isEqualTo(Float.floatToIntBits(0x1p-9f)); // steps of F32
    ByteBuffer others = ByteBuffer.wrap(new byte[] {0x39, (byte) 0xb8, (byte) 0x81});
    assertThat(compare(DType.F8_E4M3, eights, DType.F8_E4M3, others, "bits", false).maxUlp)
        .isEqualTo(2);
    ByteBuffer powers = ByteBuffer.wrap(new byte[] {0x7f, (byte) 0x81}); // 1 and 4
    assertThat(
            compare(
                    DType.F8_E8M0,
                    powers,
                    DType.F8_E8M0,
                    ByteBuffer.wrap(new byte[] {0x7e, (byte) 0x7f}),
                    "bits",
                    false)
                .maxUlp)
        .isEqualTo(2);
  }

  @Test
  void partsOfComplexNumbersAreValues() throws FormatException {
    ColumnDifference found =
        compare(DType.C64, floats(1, 2, 3, 4), DType.C64, floats(1, 2, 3, 5), "bits", false);
    assertThat(found.first()).containsExactly(new ValuePair(7, 1, 0, 3, "4.0", "5.0"));
  }

  @Test
  void theListHasTheSmallestCoordinatesInAnyOrderOfParts() throws IOException {
    List<ColumnDifference> parts = new ArrayList<>();
    for (int part = 0; part < 4; part++) {
      ColumnDifference found = new ColumnDifference();
      ValueComparison comparison =
          new ValueComparison("b", DType.F32, DType.F32, Tolerance.NONE, false);
      for (int example = part * 10; example < part * 10 + 10; example++) {
        comparison.compare(floats(1, 2), floats(1, 3), example, 0, 2, found);
      }
      parts.add(copy(found));
    }
    for (int first = 0; first < 4; first++) {
      ColumnDifference all = new ColumnDifference();
      for (int i = 0; i < 4; i++) {
        all.add(parts.get((first + i) % 4));
      }
      assertThat(all.values).isEqualTo(40);
      assertThat(all.first()).hasSize(20);
      assertThat(all.first().stream().map(ValuePair::example))
          .isSorted()
          .startsWith(0L)
          .endsWith(19L);
    }
  }

  private static ColumnDifference copy(ColumnDifference found) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    found.write(new DataOutputStream(out));
    ColumnDifference copy = new ColumnDifference();
    copy.list(new ValuePair(99, 0, 0, 0, "", ""));
    copy.readFields(new DataInputStream(new ByteArrayInputStream(out.toByteArray())));
    return copy;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"abs", "abs:", "abs:-1", "abs:NaN", "abs:1e999", "ulp:1.5", "bf16:1", "x:1", ""})
  void otherTolerancesAreRefused(String text) {
    assertThatThrownBy(() -> Tolerance.parse(text))
        .hasMessageContaining("expected " + Tolerance.FORMS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"bits", "bf16", "abs:0.001", "rel:1.0E-5", "ulp:4", "ulp:10000000000000000000"})
  void aToleranceIsItsText(String text) {
    assertThat(Tolerance.parse(text)).hasToString(text);
  }
}
