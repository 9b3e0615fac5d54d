package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.testing.Python;

/** The scripts that make the folders of fixtures/arrays, and torch and numpy, which load them. */
@Tag("python")
class ProgramFoldersAgainstPythonTest {
  @TempDir Path folder;

  private static List<String> files(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .filter(file -> !file.startsWith("saelens")) // by others
          .sorted()
          .toList();
    }
  }

  @Test
  void theScriptMakesTheFolders() throws IOException, InterruptedException {
    Python.MACHINE.run("program_folders.py", folder);
    Path fixtures = Fixtures.arrays("");
    assertThat(files(folder)).isEqualTo(files(fixtures)).hasSizeGreaterThan(60);
    for (String file : files(folder)) {
      assertThat(folder.resolve(file)).hasSameBinaryContentAs(fixtures.resolve(file));
    }
  }

  @Test
  void torchAndNumpyLoadWhatIsExpected() throws IOException, InterruptedException {
    assertThat(Python.MACHINE.with("torch").run("check_folders.py", Fixtures.arrays("")))
        .contains("activault", "crosscoder", "llamascopium-pt", "scripts", "scripts-bf16")
        .contains("specforge-aux_hidden_state", "specforge-hidden_state", "specforge-plain")
        .contains("speculators-pt");
  }
}
