package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JsonEscapesTest {
  private static final String TEXT =
      "a/\"\\\b\f\n\r\t\u0000\u001f ~\u007f\u00e9\u2028\uffff\ud83d\ude00\ud83d\ud83d\ude00\ude00";

  private static String quoted(JsonEscapes escapes, String text) {
    StringBuilder out = new StringBuilder("x");
    escapes.quote(text, out);
    return out.substring(1);
  }

  @Test
  void pythonEscapesAllButPrintableAscii() {
    assertThat(quoted(JsonEscapes.ASCII, TEXT))
        .isEqualTo(
            "\"a/\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f ~\\u007f\\u00e9\\u2028\\uffff"
                + "\\ud83d\\ude00\\ud83d\\ud83d\\ude00\\ude00\"");
  }

  @Test
  void orjsonAndSerdeEscapeOnlyWhatJsonDemands() {
    assertThat(quoted(JsonEscapes.UTF8, TEXT))
        .isEqualTo(
            "\"a/\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f ~\u007f\u00e9\u2028\uffff"
                + "\ud83d\ude00\ud83d\ud83d\ude00\ude00\"");
  }

  @Test
  void whatUtf8DoesNotHaveCanBeEscapedToo() {
    assertThat(quoted(JsonEscapes.LONE_SURROGATES, TEXT))
        .isEqualTo(
            "\"a/\\\"\\\\\\u0008\\u000c\\n\\u000d\\t\\u0000\\u001f ~\u007f\u00e9\u2028\uffff"
                + "\ud83d\ude00\\ud83d\ud83d\ude00\\ude00\"");
  }
}
