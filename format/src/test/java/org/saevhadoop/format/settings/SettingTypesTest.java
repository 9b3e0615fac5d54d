package org.saevhadoop.format.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingTypesTest {
  /** A choice whose constants have a hyphen and none. */
  private enum Fruit {
    APPLE,
    BLOOD_ORANGE
  }

  private static final Map<String, ValueType<?>> TYPES =
      Map.of(
          "whole", SettingTypes.whole(-5, 1000),
          "count", SettingTypes.whole(1, Long.MAX_VALUE),
          "oneOf", SettingTypes.oneOf(2, 4, 5),
          "bool", SettingTypes.bool(),
          "choice", SettingTypes.choice(Fruit.class),
          "orWord", SettingTypes.orWord("auto", SettingTypes.whole(0, 9)),
          "choiceOrWord", SettingTypes.orWord("auto", SettingTypes.choice(Fruit.class)),
          "text", SettingTypes.text("S", "any text"),
          "name", SettingTypes.name("PATH", "a path"),
          "list", SettingTypes.list(SettingTypes.whole(0, 9)));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "whole  | -5 | -5",
        "whole  | 1000 | 1000",
        "whole  | 007 | 7",
        "count  | 9223372036854775807 | 9223372036854775807",
        "oneOf  | 4 | 4",
        "bool   | true | true",
        "bool   | FALSE | false",
        "choice | apple | apple",
        "choice | Blood-Orange | blood-orange",
        "choice | BLOOD_ORANGE | blood-orange",
        "orWord | auto | auto",
        "orWord | 9 | 9",
        "text   | ' x '| ' x '",
        "name   | ${user.name} | ${user.name}",
        "list   | ' 1 ; 2;' | 1;2"
      })
  void aValueIsTakenAndShownAsTheTextThatGivesItAgain(String type, String text, String shown) {
    assertThat(show(TYPES.get(type), text)).isEqualTo(shown);
    assertThat(show(TYPES.get(type), shown)).isEqualTo(shown);
  }

  private static <T> String show(ValueType<T> type, String text) {
    return type.show(type.parse(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "whole  | -6 | --n is -6 (expected -5 to 1000)",
        "whole  | 1001 | --n is 1001 (expected -5 to 1000)",
        "whole  | 99999999999999999999 | --n is 99999999999999999999 (expected -5 to 1000)",
        "whole  | 1e3 | --n is \"1e3\" (expected -5 to 1000)",
        "whole  | ' 1' | --n is \" 1\" (expected -5 to 1000)",
        "count  | 0 | --n is 0 (expected at least 1)",
        "count  | 1MB | --n is \"1MB\": it has a unit (expected a number without one, at least 1)",
        "count  | 1.5 GiB | --n is \"1.5 GiB\": it has a unit (expected a number without one, at least 1)",
        "oneOf  | 3 | --n is 3 (expected 2, 4 or 5)",
        "oneOf  | x | --n is \"x\" (expected 2, 4 or 5)",
        "bool   | ture | --n is \"ture\" (expected true or false)",
        "bool   | yes | --n is \"yes\" (expected true or false)",
        "bool   | 1 | --n is 1 (expected true or false)",
        "choice | orange | --n is \"orange\" (expected apple or blood-orange)",
        "orWord | 10 | --n is 10 (expected auto, or 0 to 9)",
        "orWord | car | --n is \"car\" (expected auto, or 0 to 9)",
        "choiceOrWord | x | --n is \"x\" (expected auto, apple or blood-orange)",
        "list   | 1;x | --n is \"1;x\" (expected 0 to 9)",
        "list   | ; ; | --n is \"; ;\": it has no items (expected 0 to 9)",
        "text   | '' | --n is empty (expected any text)",
        "bool   | '' | --n is empty (expected true or false)",
        "list   | '' | --n is empty (expected 0 to 9)"
      })
  void whatIsNoValueIsRefusedUnderTheNameThatWasTyped(String type, String text, String message) {
    SettingKey<?> key = SettingKey.of("saev.test.n", TYPES.get(type), null, "A test.");
    assertThatThrownBy(() -> key.parse(text, "--n"))
        .isInstanceOf(SettingException.class)
        .hasMessage(message);
  }

  @Test
  void aLongValueIsCutInTheMessage() {
    SettingKey<Boolean> key = SettingKey.of("saev.test.n", SettingTypes.bool(), null, "A test.");
    assertThatThrownBy(() -> key.parse("x".repeat(10_000), "--n"))
        .hasMessage("--n is \"" + "x".repeat(200) + "...\" (expected true or false)");
  }

  @Test
  void whatTheParserReportsWasExpectedIsNotReportedTwice() {
    ValueType<String> type =
        SettingTypes.text(
            "S",
            "a word",
            text -> {
              throw new IllegalArgumentException("it is odd (expected an even one)");
            },
            text -> text);
    assertThatThrownBy(() -> SettingKey.of("saev.test.n", type, null, "A test.").parse("x", "--n"))
        .hasMessage("--n is \"x\": it is odd (expected an even one)");
  }

  @Test
  void anOptionThatMayComeSeveralTimesGivesOneText() {
    ValueType<List<String>> texts = SettingTypes.list(SettingTypes.text("S", "any text"));
    List<String> items = List.of("a;b", " c ", "\\");
    assertThat(texts.isList()).isTrue();
    assertThat(texts.parse(texts.join(items))).isEqualTo(items);
    assertThat(SettingTypes.bool().join(List.of("true"))).isEqualTo("true");
  }

  @Test
  void aDefaultIsParsedAsAnyValueIs() {
    SettingKey<Optional<Long>> key =
        SettingKey.of(
            "saev.test.n",
            SettingTypes.orWord("auto", SettingTypes.whole(0, 9)),
            "auto",
            "A test.");
    assertThat(key.defaultValue()).isEmpty();
    assertThat(SettingKey.of("saev.test.n", SettingTypes.bool(), null, "A test.").defaultValue())
        .isNull();
  }

  @Test
  void aKeyThatCannotBeIsAMistakeInTheProgram() {
    assertThatThrownBy(() -> SettingKey.of("test.n", SettingTypes.bool(), null, "A test."))
        .isInstanceOf(IllegalArgumentException.class);
    SettingKey<Boolean> key = SettingKey.of("saev.test.n", SettingTypes.bool(), null, "A test.");
    assertThatThrownBy(() -> key.flag("--n", "perhaps", "A flag."))
        .isInstanceOf(SettingException.class);
  }
}
