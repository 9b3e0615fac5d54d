package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class JsonLimitsTest {
  private static final String PATH = "document.json";
  private static final JsonLimits LIMITS = new JsonLimits(1 << 20, 10, 8, 20);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":[1,2,{\"b\":null}],\"c\":\"12345678\"}",
        "[\"\\\"\\\\{[,:\"]",
        "[\"[[[[[[[[\",\",,,,,,,,\"]",
        "[0,1,2,3,4,5,6,7,8]",
        "\ufeff{}",
        "\"\u00e4\u00e4\u00e4\u00e4\"",
        "",
        "nonsense"
      })
  void ordinaryTextPasses(String text) throws IOException {
    check(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[\"123456789\"]",
        "{\"123456789\":1}",
        "\"\\u00e4\\u00e4\"",
        "\"123456789",
        "[0,1,2,3,4,5,6,7,8,9,10]",
        "[[[[[[[[[[["
      })
  void whatIsTooMuchIsRefused(String text) {
    refuse(JsonError.LIMIT_EXCEEDED, text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void deepNestingAndLongNumbersAreRefused() throws IOException {
    JsonLimits wide = new JsonLimits(1 << 20, 1 << 20, 8, 20);
    String deep = "[".repeat(JsonLimits.MAX_LEVELS);
    wide.check(PATH, deep.getBytes(StandardCharsets.UTF_8));
    assertFails(
        JsonError.LIMIT_EXCEEDED,
        PATH,
        () -> wide.check(PATH, (deep + "[").getBytes(StandardCharsets.UTF_8)));
    wide.check(PATH, ("[]".repeat(100_000)).getBytes(StandardCharsets.UTF_8));
    refuse(JsonError.LIMIT_EXCEEDED, "[" + "1".repeat(22) + "]");
    check("[" + " ".repeat(100) + "1]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32", "UTF-32BE", "UTF-32LE"})
  void anotherEncodingIsRefused(String charset) throws IOException {
    refuse(JsonError.BAD_JSON, "{\"a\":1}".getBytes(Charset.forName(charset)));
    refuse(JsonError.BAD_JSON, "[]".getBytes(Charset.forName(charset)));
    byte[] marked = ("\ufeff" + "{}").getBytes(Charset.forName(charset));
    refuse(JsonError.BAD_JSON, marked);
  }

  @Property(tries = 2000)
  void piecesOfATextAreCheckedAsTheWhole(RandomValues any) throws IOException {
    byte[] text = any.textOf("[]{},:\"\\ a1", 0, 60).getBytes(StandardCharsets.UTF_8);
    boolean passes = passes(() -> LIMITS.check(PATH, text));
    boolean streamed =
        passes(
            () -> {
              InputStream in = LIMITS.guard(PATH, new ByteArrayInputStream(text));
              byte[] buffer = new byte[10];
              int n;
              do {
                n = any.bool() ? in.read() : in.read(buffer, 0, any.intBetween(1, 10));
              } while (n >= 0);
            });
    assertThat(streamed).isEqualTo(passes);
  }

  private interface Check {
    void run() throws IOException;
  }

  private static boolean passes(Check check) throws IOException {
    try {
      check.run();
      return true;
    } catch (org.saevhadoop.format.io.FormatException e) {
      return false;
    }
  }

  private static void check(String text) throws IOException {
    LIMITS.check(PATH, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void refuse(JsonError kind, String text) {
    refuse(kind, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void refuse(JsonError kind, byte[] text) {
    assertFails(kind, PATH, () -> LIMITS.check(PATH, Arrays.copyOf(text, text.length)));
  }
}
