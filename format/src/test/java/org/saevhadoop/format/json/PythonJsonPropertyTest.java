package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.FloatText;

class PythonJsonPropertyTest {
  @Property
  void whatIsWrittenReadsBackTheSame(
      @ForAll("values") Object value, @ForAll("styles") JsonStyle style) throws FormatException {
    String text = PythonJson.dumps(value, style);
    assertThat(text.chars()).allMatch(c -> c >= ' ' && c <= '~' || c == '\n');
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(PythonJson.parse("m.json", bytes)).isEqualTo(value);
  }

  @Property
  void aFloatReadsBackTheSameAndNoShorterTextWould(@ForAll long bits) {
    double value = Double.longBitsToDouble(bits);
    Assume.that(Double.isFinite(value));
    String text = FloatText.python(value);
    assertThat(Double.parseDouble(text)).isEqualTo(value);
    BigDecimal shortest = new BigDecimal(text).stripTrailingZeros();
    if (shortest.precision() > 1) {
      for (RoundingMode mode : List.of(RoundingMode.DOWN, RoundingMode.UP)) {
        BigDecimal shorter = shortest.round(new MathContext(shortest.precision() - 1, mode));
        assertThat(shorter.doubleValue()).isNotEqualTo(value);
      }
    }
  }

  @Property
  void keysCompareAsTheirCodePoints(@ForAll("strings") String a, @ForAll("strings") String b) {
    int expected = Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
    assertThat(Integer.signum(CodePointOrder.compare(a, b))).isEqualTo(Integer.signum(expected));
  }

  @Provide
  Arbitrary<JsonStyle> styles() {
    return Arbitraries.of(
        JsonStyle.DEFAULT_SORTED,
        JsonStyle.COMPACT_SORTED,
        JsonStyle.COMPACT,
        JsonStyle.indented(0),
        JsonStyle.indented(2),
        JsonStyle.indented(4));
  }

  @Provide
  Arbitrary<String> strings() {
    Arbitrary<Character> tricky =
        Arbitraries.of('a', '\u007f', '"', '\\', '\ud83d', '\ude00', '\ufffd', '\n');
    return Arbitraries.oneOf(
        tricky.list().ofMaxSize(6).map(PythonJsonPropertyTest::join),
        Arbitraries.strings().all().ofMaxLength(6));
  }

  private static String join(Iterable<Character> characters) {
    StringBuilder out = new StringBuilder();
    characters.forEach(out::append);
    return out.toString();
  }

  @Provide
  Arbitrary<Object> values() {
    Arbitrary<Object> numbers =
        Arbitraries.oneOf(
                Arbitraries.longs().map(bits -> Double.toString(Double.longBitsToDouble(bits))),
                Arbitraries.bigIntegers().map(Object::toString))
            .map(text -> new JsonNumber(new JsonNumber(text).canonical()));
    Arbitrary<Object> constants = Arbitraries.of(Arrays.asList(true, false, null));
    Arbitrary<Object> leaves =
        Arbitraries.oneOf(numbers, constants, strings().map(text -> (Object) text));
    return Arbitraries.recursive(() -> leaves, this::nest, 0, 3);
  }

  private Arbitrary<Object> nest(Arbitrary<Object> inner) {
    Arbitrary<Object> lists = inner.list().ofMaxSize(4).map(list -> (Object) list);
    Arbitrary<Object> maps =
        Arbitraries.maps(strings(), inner).ofMaxSize(4).map(map -> new LinkedHashMap<>(map));
    return Arbitraries.oneOf(lists, maps, inner);
  }
}
