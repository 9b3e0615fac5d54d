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

  @Test
  void aSentenceCountsInTheSingularAndThePlural() {
    String template = "%s: %d of %,d files are copied, %d other entries";
    assertThat(Quote.sentence(template, "a", 1, 1L, 1))
        .isEqualTo("a: 1 of 1 file is copied, 1 other entry");
    assertThat(Quote.sentence(template, "1 files", 0, 2000L, 2))
        .isEqualTo("1 files: 0 of 2,000 files are copied, 2 other entries");
    assertThat(Quote.sentence("%d passes, %s of %d bytes%n", 1, 1, 1))
        .isEqualTo("1 pass, 1 of 1 byte%n".formatted());
    assertThat(Quote.sentence("100%% of %d rows in %s tokens", 1, 1))
        .isEqualTo("100% of 1 row in 1 tokens");
  }

  @Test
  void anArrayThatIsNamedArrayIsTheArray() {
    assertThat(Quote.sentence("array %s has %d layers", "array", 1))
        .isEqualTo("the array has 1 layer");
    assertThat(Quote.sentence("the layer of array %s", "array"))
        .isEqualTo("the layer of the array");
    assertThat(Quote.sentence("array %s", "x")).isEqualTo("array x");
  }
}
