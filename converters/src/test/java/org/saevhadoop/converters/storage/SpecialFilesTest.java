package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.testing.Programs;

/** Entries that are not files are never taken for files that are absent: nothing is left out. */
@Tag("late")
@Timeout(60)
class SpecialFilesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "labels.bin, pipe",
    "labels.bin, broken link",
    "labels.bin, folder",
    "labels.bin, loop",
    "acts000000.examples.jsonl.gz, pipe",
    "acts000000.examples.jsonl.gz, broken link",
    "acts000000.examples.jsonl.gz, folder",
    "acts000001.bin, pipe",
    "acts000001.bin, broken link",
    "shards.json, pipe",
    "shards.json, broken link",
    "metadata.json, pipe"
  })
  void aDatasetWithSomethingElseInsteadOfAFileIsNotConverted(String name, String kind)
      throws Exception {
    Programs.require("mkfifo", "--version");
    assertThat(Sidecar.name("acts000000.bin")).isEqualTo("acts000000.examples.jsonl.gz");
    Path source = Fixtures.copy(Fixtures.SMALL, folder);
    Path place = source.resolve(name);
    Files.deleteIfExists(place);
    switch (kind) {
      case "pipe" -> Programs.require("mkfifo", place.toString());
      case "folder" -> Files.createDirectory(place);
      case "loop" -> Files.createSymbolicLink(place, place);
      default -> Files.createSymbolicLink(place, folder.resolve("none"));
    }
    Path out = folder.resolve("out");
    Cli run = Cli.convert(source, out, "safetensors");
    run.failsWithText(source.toString());
    assertThat(ErrorAssertions.find(run.failure())).isNotNull();
    assertThat(out).doesNotExist();
  }

  @Test
  void aFolderThatVanishesIsNamed() throws IOException {
    Path source = folder.resolve("gone");
    Cli.convert(source, folder.resolve("out"), "saev").failsWith(FileError.NOT_FOUND, source);
    Path file = Fixtures.copy(Fixtures.SMALL, folder).resolve("metadata.json");
    Cli.convert(file.resolve("below"), folder.resolve("out"), "saev")
        .failsWith(FileError.NOT_FOUND, file.resolve("below"));
  }

  @Test
  void scratchFilesOfACommandAreGoneWhenItEnds() throws IOException {
    Path scratch = Files.createDirectory(folder.resolve("scratch"));
    Path out = folder.resolve("out");
    String option = "-Dhadoop.tmp.dir=" + scratch;
    Cli.convert(Fixtures.small(), out, "pickle " + option).succeeds();
    Cli.run("digest", out, option).succeeds();
    assertThat(scratch).isEmptyDirectory();
  }
}
