package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuoteTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "000a | \\n",
        "000d | \\r",
        "0009 | \\t",
        "0008 | \\b",
        "000c | \\f",
        "0000 | \\u0000",
        "001b | \\u001b",
        "007f | \\u007f",
        "0085 | \\u0085",
        "009f | \\u009f",
        "061c | \\u061c",
        "200e | \\u200e",
        "200f | \\u200f",
        "2028 | \\u2028",
        "2029 | \\u2029",
        "202a | \\u202a",
        "202e | \\u202e",
        "2066 | \\u2066",
        "2069 | \\u2069",
        "d83d | \\ud83d",
        "de00 | \\ude00"
      })
  void whatATerminalWouldObeyIsEscaped(String hex, String escape) {
    char c = (char) Integer.parseInt(hex, 16);
    assertThat(Quote.show("a" + c + "b")).isEqualTo("a" + escape + "b");
    assertThat(Quote.show("" + c)).isEqualTo(escape);
  }

  @Test
  void otherTextStaysAsItIs() {
    String text = " layers.0/`weight` \"q\" \\n é\u00a0€\u200d\ufeff\ud83d\ude00";
    assertThat(Quote.show(text)).isSameAs(text);
    assertThat(Quote.show("")).isEmpty();
  }

  @Test
  void inAsciiAllOtherCharactersAreEscaped() {
    assertThat(Quote.ascii("a~\n\u00e9\ud83d\ude00", 10)).isEqualTo("a~\\n\\u00e9\\ud83d\\ude00");
    assertThat(Quote.ascii("abcde", 4)).isEqualTo("abcd...");
  }

  @Test
  void longTextIsCutButNotWithinAPair() {
    assertThat(Quote.show("abcd", 4)).isEqualTo("abcd");
    assertThat(Quote.show("abcde", 4)).isEqualTo("abcd...");
    assertThat(Quote.show("a\nbcde", 4)).isEqualTo("a\\nbc...");
    assertThat(Quote.show("abc\ud83d\ude00", 4)).isEqualTo("abc...");
    assertThat(Quote.show("abc\ud83d\ude00x", 5)).isEqualTo("abc\ud83d\ude00...");
    assertThat(Quote.show("abc", 0)).isEqualTo("...");
  }

  @Test
  void sanitizedTextDoesNotChangeAgain() {
    Random random = new Random(1);
    char[] alphabet = "ab\\u\n\u001b\u202e\u2028\ud83d\ude00`\"".toCharArray();
    for (int run = 0; run < 2000; run++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(12); i > 0; i--) {
        text.append(alphabet[random.nextInt(alphabet.length)]);
      }
      String shown = Quote.show(text.toString());
      assertThat(Quote.show(shown)).isSameAs(shown);
    }
  }

  @Test
  void aSurrogateIsLoneWithoutItsOtherHalf() {
    String text = "\ude00\ud83d\ude00\ude00\ud83dx\ud83d";
    assertThat(IntStream.range(0, text.length()).filter(i -> Quote.isLoneSurrogate(text, i)))
        .containsExactly(0, 3, 4, 6);
  }
}
