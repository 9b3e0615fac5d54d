package org.saevhadoop.converters.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.format.DatasetFormats;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The script lists the commands and options that the command line has. */
class CompletionCommandTest {
  private static final Map<String, CommandLine> COMMANDS =
      new Main(System.out, System.err)
          .commandLine(
              new Console(new Configuration(), DatasetFormats.registry(), System.out, System.err))
          .getSubcommands();

  private static final String SCRIPT = script();

  private static String script() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    assertThat(Main.run(new Configuration(), stream, System.err, "generate-completion")).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Returns the words of a variable in the function of a command. */
  private static List<String> words(String command, String variable) {
    Pattern pattern =
        Pattern.compile(
            "(?s)\\nfunction _picocli_saev-hadoop%s\\(\\) \\{.*?\\n  local %s=\"(.*?)\"\\n"
                .formatted(command.isEmpty() ? "" : "_" + command.replace("-", ""), variable));
    Matcher matcher = pattern.matcher(SCRIPT);
    assertThat(matcher.find()).as(command).isTrue();
    return Stream.of(matcher.group(1).split(" "))
        .map(word -> word.replace("'", ""))
        .filter(word -> !word.isEmpty())
        .toList();
  }

  private static Stream<CommandLine> visible() {
    return COMMANDS.values().stream()
        .filter(command -> !command.getCommandSpec().usageMessage().hidden());
  }

  @Test
  void commandsAreThoseOfTheHelp() {
    assertThat(words("", "commands"))
        .containsExactlyElementsOf(visible().map(CommandLine::getCommandName).toList())
        .contains("convert");
  }

  @Test
  void optionsWithAndWithoutValueAreThoseOfEachCommand() {
    visible()
        .forEach(
            command -> {
              String name = command.getCommandName();
              assertThat(words(name, "flag_opts"))
                  .as(name)
                  .containsExactlyInAnyOrderElementsOf(options(command, true));
              assertThat(words(name, "arg_opts"))
                  .as(name)
                  .containsExactlyInAnyOrderElementsOf(options(command, false));
            });
  }

  private static List<String> options(CommandLine command, boolean flag) {
    return command.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .filter(option -> (option.arity().max() == 0) == flag)
        .map(OptionSpec::names)
        .flatMap(Stream::of)
        .toList();
  }

  @Test
  void valuesAreThoseOfTheKeys() {
    assertThat(SCRIPT)
        .contains("(\"nearest-even\" \"truncate\") # --rounding values")
        .contains("(\"abs:\" \"rel:\" \"ulp:\" \"bf16\") # --tolerance values")
        .contains("(\"error\" \"warning\") # --fail-on values")
        .contains("(\"vector\" \"example\") # --unit values")
        .contains("(\"auto\" \"examples\" \"layers\") # --combine values")
        .contains("(\"scale\" \"center\" \"center-scale\") # --normalize-by values")
        .contains(
            "(\"saev\" \"safetensors\" \"pickle\" \"samediff\" \"npy\" \"parquet\") # --to values");
  }
}
