package org.saevhadoop.mapreduce.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class ConfSettingsTest {
  private static final SettingKey<String> TEXT =
      SettingKey.of("saev.test.text", SettingTypes.text("S", "any text"), null, "Any text.");
  private static final SettingKey<String> PATH =
      SettingKey.of("saev.test.path", SettingTypes.name("PATH", "a path"), null, "Any path.");
  private static final SettingKey<List<String>> TEXTS =
      SettingKey.of(
          "saev.test.texts",
          SettingTypes.list(SettingTypes.text("S", "any text")),
          null,
          "Any texts.");
  private static final SettingKey<Long> NUMBER =
      SettingKey.of("saev.test.number", SettingTypes.whole(0, 9), "3", "A digit.");
  private static final List<SettingKey<?>> KEYS = List.of(TEXT, PATH, TEXTS, NUMBER);

  private final Configuration conf = new Configuration(false);

  @Property(tries = 1000, sample = 150)
  void anyTextComesThroughTheFileInWhichAJobTravels(RandomValues any) throws IOException {
    String text = text(any);
    String path = text(any);
    List<String> list = any.list(1, 4, () -> text(any));
    Settings settings =
        Settings.NONE.with(TEXT, text).with(PATH, path).with(TEXTS, list).with(NUMBER, 7L);
    ConfSettings.write(settings, conf);
    Configuration task = JobXml.through(conf);
    assertThat(ConfSettings.get(task, TEXT)).isEqualTo(text);
    assertThat(ConfSettings.get(task, PATH)).isEqualTo(path);
    assertThat(ConfSettings.get(task, TEXTS)).isEqualTo(list);
    assertThat(ConfSettings.read(task, KEYS).toString().lines())
        .containsExactlyInAnyOrderElementsOf(settings.toString().lines().toList());
  }

  @Property(tries = 500, sample = 100)
  void aMapHasTheValuesOfAConfigurationAndIsReadAsOne(RandomValues any) {
    Settings settings =
        Settings.NONE
            .with(TEXT, text(any))
            .with(PATH, text(any))
            .with(TEXTS, any.list(1, 4, () -> text(any)))
            .with(NUMBER, 7L);
    ConfSettings.write(settings, conf);
    Map<String, String> values = new TreeMap<>();
    conf.forEach(entry -> values.put(entry.getKey(), entry.getValue()));
    assertThat(ConfSettings.toMap(settings)).isEqualTo(values);
    assertThat(ConfSettings.read(values, KEYS).toString())
        .isEqualTo(ConfSettings.read(conf, KEYS).toString())
        .isNotEmpty();
  }

  @Test
  void theValuesOfAMapAreTrimmed() {
    Settings trimmed = ConfSettings.read(Map.of(NUMBER.name(), " 7 "), KEYS);
    assertThat(trimmed.get(NUMBER)).isEqualTo(7);
    assertThatThrownBy(() -> ConfSettings.read(Map.of(NUMBER.name(), " 10 "), KEYS))
        .isInstanceOf(SettingException.class)
        .hasMessage(NUMBER.name() + " is 10 (expected 0 to 9)");
    assertThatThrownBy(() -> ConfSettings.read(Map.of(TEXT.name(), "escaped:\\"), KEYS))
        .isInstanceOf(SettingException.class)
        .hasMessage("saev.test.text: a backslash escapes nothing after escaped:");
  }

  @Test
  void everyCharacterComesThroughTheFileInWhichAJobTravels() throws IOException {
    StringBuilder all = new StringBuilder();
    for (int c = 0; c <= Character.MAX_VALUE; c++) {
      all.append((char) c);
    }
    ConfSettings.set(conf, TEXT, all.toString());
    ConfSettings.set(conf, TEXTS, List.of(all.toString()));
    Configuration task = JobXml.through(conf);
    assertThat(ConfSettings.get(task, TEXT)).isEqualTo(all.toString());
    assertThat(ConfSettings.get(task, TEXTS)).containsExactly(all.toString());
  }

  private static String text(RandomValues any) {
    return String.join("", any.list(1, 4, () -> piece(any)));
  }

  private static String piece(RandomValues any) {
    return any.oneOf(
        () -> any.text(1, 6),
        () ->
            any.of(
                "${user.name}",
                "${x}",
                " ",
                "\r\n",
                "\n",
                "\t",
                "escaped:",
                "\\u0041",
                "\\",
                ";",
                "<&]]>",
                "\u0000",
                "\ud800",
                "\udfff",
                "\ufffe",
                "\ud83d\ude00"));
  }

  @Test
  void textThatNeedsNoEscapesStaysReadable() {
    ConfSettings.set(conf, TEXT, "{\"a\": \"b\\n\"}");
    assertThat(conf.getRaw(TEXT.name())).isEqualTo("{\"a\": \"b\\n\"}");
    ConfSettings.set(conf, PATH, "hdfs://host:8020/a b/c");
    assertThat(conf.getRaw(PATH.name())).isEqualTo("hdfs://host:8020/a b/c");
  }

  @Test
  void whatAPersonWroteIsTakenAsHadoopTakesItUnlessItMayBeAnyText() {
    conf.set("there", "here");
    conf.set(PATH.name(), " /data/${there} ");
    conf.set(TEXT.name(), " ${there} ");
    conf.set(TEXTS.name(), " a ; ${there};");
    conf.set(NUMBER.name(), " 7 ");
    assertThat(ConfSettings.get(conf, PATH)).isEqualTo("/data/here");
    assertThat(ConfSettings.get(conf, TEXT)).isEqualTo(" ${there} ");
    assertThat(ConfSettings.get(conf, TEXTS)).containsExactly("a", "here");
    assertThat(ConfSettings.get(conf, NUMBER)).isEqualTo(7);
  }

  @Test
  void keysThatAreNotSetHaveTheirDefaults() {
    Settings none = ConfSettings.read(conf, KEYS);
    assertThat(none.keys()).isEmpty();
    assertThat(none.get(NUMBER)).isEqualTo(3);
    assertThat(none.get(TEXT)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "saev.test.number | '' | saev.test.number is empty (expected 0 to 9)",
        "saev.test.number | ' ' | saev.test.number is empty (expected 0 to 9)",
        "saev.test.number | 10 | saev.test.number is 10 (expected 0 to 9)",
        "saev.test.text   | '' | saev.test.text is empty (expected any text)",
        "saev.test.path   | ' ' | saev.test.path is empty (expected a path)"
      })
  void aWrongValueIsRefusedUnderItsKey(String key, String value, String message) {
    conf.set(key, value);
    assertThatThrownBy(() -> ConfSettings.read(conf, KEYS))
        .isInstanceOf(SettingException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"escaped:\\", "escaped:\\u00", "escaped:\\x0041", "escaped:\\u00g1"})
  void anEscapeThatIsNoneIsRefusedUnderItsKey(String value) {
    conf.set(TEXT.name(), value);
    assertThatThrownBy(() -> ConfSettings.get(conf, TEXT))
        .isInstanceOf(SettingException.class)
        .hasMessage("saev.test.text: a backslash escapes nothing after escaped:");
  }

  @Test
  void unknownKeysAreNamedInOrderAndTheNearestKnownOneIsFound() {
    conf.set("saev.test.txet", "x");
    conf.set("saev.test.numbers", "x");
    conf.set(TEXT.name(), "x");
    conf.set("mapreduce.job.name", "x");
    List<String> warnings = new ArrayList<>();
    ConfSettings.check(conf, KEYS, warnings::add);
    assertThat(warnings)
        .containsExactly(
            "saev.test.numbers is not a known key (did you mean " + NUMBER + "?)",
            "saev.test.txet is not a known key (did you mean " + TEXT + "?)");
    assertThat(ConfSettings.nearest("saev.test.numbers", KEYS)).isEqualTo(NUMBER.name());
    assertThat(ConfSettings.nearest("saev.test.txts", KEYS)).isEqualTo(TEXTS.name());
    assertThat(ConfSettings.nearest("saev.tets.pth", KEYS)).isEqualTo(PATH.name());
  }

  @Test
  void settingsAreValues() {
    Settings one = Settings.NONE.withText(NUMBER, "7", "--number");
    Settings two = one.with(NUMBER, 8L).with(TEXT, "x");
    assertThat(one.get(NUMBER)).isEqualTo(7);
    assertThat(one.nameOf(NUMBER)).isEqualTo("--number");
    assertThat(two.nameOf(NUMBER)).isEqualTo("--number");
    assertThat(two.nameOf(PATH)).isEqualTo(PATH.name());
    assertThat(two.without(NUMBER).get(NUMBER)).isEqualTo(3);
    assertThat(two.only(List.of(TEXT)).keys()).containsExactly(TEXT);
    assertThat(two.and(one).get(NUMBER)).isEqualTo(7);
    assertThat(two.and(one).get(TEXT)).isEqualTo("x");
    assertThatThrownBy(() -> one.with(TEXT, null)).isInstanceOf(IllegalArgumentException.class);
  }
}
