package org.saevhadoop.format.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class DTypeConversionPropertiesTest {
  private static final List<DType> NUMBERS =
      Stream.of(DType.values()).filter(NumberType::isTarget).toList();
  private static final List<DType> FLOATS = List.of(DType.F16, DType.BF16, DType.F32, DType.F64);
  private static final List<Pair> FLOAT_PAIRS = pairs(FLOATS, FLOATS);
  private static final List<Pair> EXACT_PAIRS =
      pairs(NUMBERS, NUMBERS).stream().filter(p -> DTypeConversion.isExact(p.from, p.to)).toList();

  /** Two different types. */
  record Pair(DType from, DType to) {}

  private static List<Pair> pairs(List<DType> from, List<DType> to) {
    return from.stream()
        .flatMap(f -> to.stream().filter(t -> t != f).map(t -> new Pair(f, t)))
        .toList();
  }

  @Property(tries = 500)
  void whatIsExactComesBackAndChangesNothing(RandomValues any) {
    Pair pair = any.of(EXACT_PAIRS);
    RoundingPolicy rounding = any.of(RoundingPolicy.class);
    long[] values = any.longs(0, 255, Long.MIN_VALUE, Long.MAX_VALUE);
    long[] bits = of(pair.from, values);
    DTypeConversion there = DTypeConversion.of(pair.from, pair.to, rounding, RangePolicy.ERROR);
    DTypeConversion back = DTypeConversion.of(pair.to, pair.from);
    long[] found = Elements.converted(back, Elements.converted(there, bits));
    boolean quiets = pair.to == DType.F64 && pair.from != DType.F16;
    long quieted = Arrays.stream(bits).filter(l -> quiets && isSignalling(pair.from, l)).count();
    assertThat(there.changes()).isEqualTo(new ConversionChanges(bits.length, 0, 0, 0, quieted));
    for (int i = 0; i < bits.length; i++) {
      if (isNan(pair.from, bits[i])) {
        assertThat(isNan(pair.from, found[i])).isTrue();
      } else {
        assertThat(found[i]).isEqualTo(bits[i]);
      }
    }
  }

  @Property(tries = 500)
  void aFloatKeepsItsSignAndOrderAndIsANanOnlyIfItWas(RandomValues any) {
    Pair pair = any.of(FLOAT_PAIRS);
    RoundingPolicy rounding = any.of(RoundingPolicy.class);
    long first = any.anyLong();
    long second = any.anyLong();
    FloatFormat source = FloatFormat.of(pair.from);
    FloatFormat target = FloatFormat.of(pair.to);
    long[] bits = of(pair.from, first, second);
    long[] found =
        Elements.converted(
            DTypeConversion.of(pair.from, pair.to, rounding, RangePolicy.ERROR), bits);
    boolean numbers = true;
    for (int i = 0; i < 2; i++) {
      assertThat(target.sign(found[i])).isEqualTo(source.sign(bits[i]));
      if (source.isNan(bits[i])) {
        numbers = false;
      } else {
        assertThat(target.isNan(found[i])).isFalse();
      }
      if (rounding == RoundingPolicy.NEAREST_EVEN) {
        assertThat(target.isNan(found[i])).isEqualTo(source.isNan(bits[i]));
      }
    }
    if (numbers) {
      int order = Long.compare(ordinal(source, bits[0]), ordinal(source, bits[1]));
      int after = Long.compare(ordinal(target, found[0]), ordinal(target, found[1]));
      assertThat(after).isIn(0, order);
    }
  }

  @Property(tries = 500)
  void aSecondConversionThereAndBackChangesNothingMore(RandomValues any) {
    Pair pair = any.of(FLOAT_PAIRS);
    RoundingPolicy rounding = any.of(RoundingPolicy.class);
    long[] values = any.longs(0, 255, Long.MIN_VALUE, Long.MAX_VALUE);
    DTypeConversion back = DTypeConversion.of(pair.to, pair.from, rounding, RangePolicy.ERROR);
    DTypeConversion there = DTypeConversion.of(pair.from, pair.to, rounding, RangePolicy.ERROR);
    long[] once = Elements.converted(back, Elements.converted(there, of(pair.from, values)));
    assertThat(Elements.converted(back, Elements.converted(there, once))).isEqualTo(once);
  }

  private static long[] of(DType type, long... values) {
    return Arrays.stream(values).map(l -> l & -1L >>> (Long.SIZE - type.bits())).toArray();
  }

  private static boolean isNan(DType type, long bits) {
    return FLOATS.contains(type) && FloatFormat.of(type).isNan(bits);
  }

  private static boolean isSignalling(DType type, long bits) {
    return isNan(type, bits) && (bits >>> FloatFormat.of(type).fractionBits() - 1 & 1) == 0;
  }

  private static long ordinal(FloatFormat format, long bits) {
    return format.sign(bits) == 0 ? format.magnitude(bits) : -format.magnitude(bits);
  }
}
