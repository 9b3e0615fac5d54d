package org.saevhadoop.converters.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.testing.Programs;

/** A run is continued however the path of its source is written. */
@Tag("late")
class ResumedSourceTest {
  @TempDir static Path shared;
  private static Path here;
  private static Path out;
  private static RecordedRun run;

  @BeforeAll
  static void recordRun() throws IOException, InterruptedException {
    Programs.require("strace", "-V");
    here = shared.toRealPath();
    Path deep = Files.createDirectories(here.resolve("one/deep"));
    Files.move(Fixtures.copy(Fixtures.SMALL, deep), deep.resolve("acts"));
    out = Files.createDirectory(here.resolve("place")).resolve("out");
    run = RecordedRun.of(out.getParent(), command(here + "/one"));
  }

  private static Object[] command(Object source, Object... options) {
    return new Object[] {"convert", source, out, "--to=safetensors", "--batch-size=2", options};
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@/one",
        "@/one/",
        "@/one/deep/acts",
        "@/place/../one",
        "file:@/one",
        "file://@/one/deep",
        "RELATIVE/one",
        "./RELATIVE/one/deep/acts"
      })
  void theDatasetThatWasFoundIsRecorded(String source) throws IOException {
    run.restore(run.first("open", KilledRun.folder(out).resolve("complete.new")));
    assertThat(Files.readString(KilledRun.folder(out).resolve("run.json")))
        .contains(here + "/one/deep/acts");
    Path relative = Path.of("").toAbsolutePath().relativize(here);
    Object typed = source.replace("@", here.toString()).replace("RELATIVE", relative.toString());
    assertThat(Cli.run(command(typed, "--resume")).succeeds().stderr())
        .contains("continues the run of ", ": 4 of 4 files are complete");
  }
}
