package org.saevhadoop.format.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestWordTest {
  private static final List<String> NAMES =
      List.of("to", "tokens", "from", "from-layout", "layers", "no-index", "V", "D", "debug");

  @ParameterizedTest
  @CsvSource({
    "too, to",
    "ot, ''",
    "tp, to",
    "xo, ''",
    "layer, layers",
    "LAYERS, layers",
    "lyaers, layers",
    "lyeasr, ''",
    "frmo, from",
    "from-fromat, from from-layout",
    "no_index, no-index",
    "tok, tokens",
    "t, to tokens",
    "D, D",
    "d, D debug",
    "nonsense, ''"
  })
  void namesThatAWordMayStandFor(String word, String names) {
    assertThat(NearestWord.suggestions(word, NAMES))
        .isEqualTo(Arrays.stream(names.split(" ")).filter(name -> !name.isEmpty()).toList());
  }

  @Test
  void moreThanFourNamesAreNoSuggestion() {
    List<String> names = List.of("a1", "a2", "a3", "a4", "a5");
    assertThat(NearestWord.suggestions("a", names)).isEmpty();
    assertThat(NearestWord.suggestions("a", names.subList(0, 4))).hasSize(4);
    assertThat(NearestWord.suggestions("a", List.of())).isEmpty();
  }

  @Test
  void wordsAreListed() {
    assertThat(NearestWord.or(List.of())).isEmpty();
    assertThat(NearestWord.or(List.of("a"))).isEqualTo("a");
    assertThat(NearestWord.or(List.of("a", "b", "c"))).isEqualTo("a, b or c");
  }

  @Test
  void charactersOfWordProcessorsAreNamed() {
    assertThat(TypedText.unusual("a-b")).isEmpty();
    assertThat(TypedText.unusual("\u2013to")).hasValue("U+2013, an en dash");
    assertThat(TypedText.unusual("\u2011")).hasValue("U+2011, a non-breaking hyphen");
    assertThat(TypedText.unusual("\u2212")).hasValue("U+2212, a minus sign");
    assertThat(TypedText.unusual("\u201ea")).hasValue("U+201E, a double low-9 quotation mark");
    assertThat(TypedText.plain("\u201c\u2014to\u201d")).isEqualTo("-to");
    assertThat(TypedText.plain("it's")).isEqualTo("it's");
    assertThat(TypedText.repairs("[13, 21]")).containsExactly("13,21");
    assertThat(TypedText.repairs("1,234,567")).containsExactly("1234567");
    assertThat(TypedText.repairs("13,21")).isEmpty();
  }
}
