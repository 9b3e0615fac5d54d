package org.saevhadoop.converters.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.format.settings.Settings;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A key that two formats list, beside keys of one format each. */
class KeyOptionsTest {
  private static final SettingKey<List<String>> SHARED = ArrayKeys.TENSORS;

  private static final SettingKey<Boolean> OF_ONE = flag("saev.input.first", "--first");
  private static final SettingKey<Boolean> OF_OTHER = flag("saev.input.second", "--second");

  private static final List<SettingKey<?>> KNOWN = List.of(SHARED, OF_ONE, OF_OTHER);

  private static final List<KeyOptions.Group> GROUPS =
      List.of(
          new KeyOptions.Group("reading one", List.of(OF_ONE, SHARED)),
          new KeyOptions.Group("reading other", List.of(SHARED, OF_OTHER)));

  private final Configuration conf = new Configuration(false);
  private final List<String> warnings = new ArrayList<>();
  private final CommandSpec command = CommandSpec.create();
  private final KeyOptions options = new KeyOptions(command, GROUPS);

  @Test
  void aKeyOfTwoFormatsIsOneOption() {
    options.add();
    assertThat(command.options())
        .extracting(OptionSpec::longestName)
        .containsExactly("--first", "--tensor", "--second");
    OptionSpec tensor = command.findOption("--tensor");
    assertThat(tensor.paramLabel()).isEqualTo(SHARED.type().label());
  }

  @Test
  void aKeyOfTwoFormatsIsInOneSectionWithTheTitlesOfBoth() {
    new CommandLine(CommandSpec.create()).addSubcommand("read", command);
    options.add();
    List<OptionSection> sections = OptionSection.of(command, GROUPS);
    assertThat(sections)
        .extracting(OptionSection::heading)
        .containsExactly("Reading one", "Reading one, other", "Reading other");
    assertThat(sections.get(1).lines())
        .extracting(OptionLine::usage)
        .containsExactly("--tensor=" + SHARED.type().label());
    assertThat(sections.get(0).lines())
        .containsExactly(new OptionLine("--first", "It is so.", false));
  }

  @Test
  void theOptionSetsTheKeyWhicheverFormatIsRead() {
    parse("--tensor", "a=example,dim", "--tensor", "b=example,dim");
    options.check(conf, KNOWN, warnings::add);
    for (KeyOptions.Group group : GROUPS) {
      Settings settings = options.settings(conf, group.keys(), warnings::add);
      assertThat(settings.get(SHARED)).containsExactly("a=example,dim", "b=example,dim");
      assertThat(settings.nameOf(SHARED)).isEqualTo("--tensor");
      assertThat(options.withoutEffect(group.keys())).isEmpty();
    }
    assertThat(warnings).isEmpty();
  }

  @Test
  void theOptionOverrulesTheKeyWithOneWarning() {
    conf.set(SHARED.name(), "a=example,dim");
    parse("--tensor", "b=example,dim");
    options.check(conf, KNOWN, warnings::add);
    assertThat(options.settings(conf, KNOWN, warnings::add).get(SHARED))
        .containsExactly("b=example,dim");
    assertThat(warnings).containsExactly("--tensor overrules saev.input.tensors");
  }

  @Test
  void anInvalidValueIsRefusedOnce() {
    parse("--tensor", "x=token");
    assertThatThrownBy(() -> options.check(conf, KNOWN, warnings::add))
        .isInstanceOf(SettingException.class)
        .hasMessageStartingWith("--tensor is \"x=token\"");
  }

  @Test
  void theOptionHasNoEffectWithAFormatThatDoesNotListTheKey() {
    parse("--tensor", "x=example,dim", "--second");
    assertThat(options.withoutEffect(List.of(OF_ONE))).containsExactly("--tensor", "--second");
    assertThat(options.withoutEffect(GROUPS.get(0).keys())).containsExactly("--second");
  }

  private void parse(String... words) {
    options.add();
    new CommandLine(command).parseArgs(words);
  }

  private static SettingKey<Boolean> flag(String name, String option) {
    return SettingKey.of(name, SettingTypes.bool(), "false", "Whether it is so.")
        .flag(option, "true", "It is so.");
  }
}
