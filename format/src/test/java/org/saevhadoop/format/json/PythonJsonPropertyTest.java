package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.FloatText;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class PythonJsonPropertyTest {
  @Property
  void whatIsWrittenReadsBackTheSame(RandomValues any) throws FormatException {
    Object value = value(any, 3);
    JsonStyle style = style(any);
    String text = PythonJson.dumps(value, style);
    assertThat(text.chars()).allMatch(c -> c >= ' ' && c <= '~' || c == '\n');
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(PythonJson.parse("m.json", bytes)).isEqualTo(value);
  }

  @Property
  void aFloatReadsBackTheSameAndNoShorterTextWould(RandomValues any) {
    double value = any.filtered(any::anyDouble, Double::isFinite);
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
  void keysCompareAsTheirCodePoints(RandomValues any) {
    String a = string(any);
    String b = string(any);
    int expected = Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
    assertThat(Integer.signum(CodePointOrder.compare(a, b))).isEqualTo(Integer.signum(expected));
  }

  private static JsonStyle style(RandomValues any) {
    return any.of(
        JsonStyle.DEFAULT_SORTED,
        JsonStyle.COMPACT_SORTED,
        JsonStyle.COMPACT,
        JsonStyle.indented(0),
        JsonStyle.indented(2),
        JsonStyle.indented(4));
  }

  private static String string(RandomValues any) {
    return any.oneOf(
        () -> any.textOf("a\u007f\"\\\ud83d\ude00\ufffd\n", 0, 6), () -> any.text(0, 6));
  }

  private static Object value(RandomValues any, int depth) {
    if (depth == 0) {
      return any.oneOf(() -> number(any), () -> any.of(true, false, null), () -> string(any));
    }
    return any.oneOf(
        () -> any.list(0, 4, () -> value(any, depth - 1)),
        () -> any.map(4, () -> string(any), () -> value(any, depth - 1)),
        () -> value(any, depth - 1));
  }

  private static JsonNumber number(RandomValues any) {
    String text =
        any.oneOf(() -> Double.toString(any.anyDouble()), () -> any.bigInteger(100).toString());
    return new JsonNumber(new JsonNumber(text).canonical());
  }
}
