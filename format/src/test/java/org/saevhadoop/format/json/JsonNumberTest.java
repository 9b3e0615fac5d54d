package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class JsonNumberTest {
  /** {@code NUMBER_RE} of CPython's json/scanner.py. */
  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?");

  @Test
  void aNumberEndsWherePythonsPatternDoes() {
    Random random = new Random(31);
    int numbers = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder out = new StringBuilder();
      random.ints(random.nextInt(9), 0, 10).forEach(c -> out.append("-+.eE0019x".charAt(c)));
      String text = out.toString();
      Matcher matcher = NUMBER.matcher(text);
      int expected = matcher.lookingAt() ? matcher.end() : -1;
      assertThat(JsonNumber.end(text, 0)).as(text).isEqualTo(expected);
      assertThat(JsonNumber.end("1" + text, 1))
          .as(text)
          .isEqualTo(expected < 0 ? -1 : 1 + expected);
      numbers += expected < 0 ? 0 : 1;
    }
    assertThat(numbers).isBetween(50_000, 150_000);
  }
}
