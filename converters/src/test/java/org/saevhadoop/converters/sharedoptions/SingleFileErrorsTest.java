package org.saevhadoop.converters.sharedoptions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.converters.Cli;

/** An error about a dataset that is one file names the file, not its folder. */
class SingleFileErrorsTest {
  /**
   * Commands with P for the dataset and OUT for a path to write, which ask for what is not there.
   */
  private static final List<String> COMMANDS =
      List.of(
          "digest P --layers 77",
          "stats P --tokens 900:901",
          "cat P --example 400",
          "diff P P --examples 50:60",
          "convert P OUT --to npy --layers 77",
          "shuffle P OUT --to npy --examples 50:60");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void theFileIsNamed(SourceForm form) throws IOException {
    Path source = form.write(form.activations(StoredType.F32), folder);
    if (!Files.isRegularFile(source)) {
      return;
    }
    for (String command : COMMANDS) {
      List<Object> words =
          new ArrayList<>(
              List.of(
                  command.replace("P", "" + source).replace("OUT", folder + "/out").split(" ")));
      form.needs().forEach(choice -> words.addAll(choice.words()));
      Cli cli = Cli.run(words);
      assertThat(cli.exitCode()).as(command).isNotZero();
      assertThat(cli.stderr().lines().filter(line -> line.startsWith("/")))
          .as(command)
          .isNotEmpty()
          .allMatch(line -> line.startsWith(source + ": "));
    }
  }
}
