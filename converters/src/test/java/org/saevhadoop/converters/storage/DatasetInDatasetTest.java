package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.io.FileError;

/** No dataset is written into another one; the refusal names its format. */
@Tag("late")
class DatasetInDatasetTest {
  @TempDir Path folder;

  private static List<String> below(Path path) throws IOException {
    try (Stream<Path> all = Files.walk(path)) {
      return all.map(Path::toString).sorted().toList();
    }
  }

  private static Object[] words(String command, Path to) {
    return command
        .replace("SRC", Fixtures.small().toString())
        .replace("OUT", to.toString())
        .split(" ");
  }

  private void refused(String format, Path dataset, Path to, String command) throws IOException {
    List<String> before = below(folder);
    Object[] words = words(command, to);
    for (List<String> more :
        List.of(List.of("--dry-run"), List.of("--overwrite"), List.<String>of())) {
      Cli.run(words, more)
          .failsWithText(
              FileError.OVERLAP,
              dataset + ": is a dataset in " + format + " format, and datasets cannot be nested");
    }
    assertThat(below(folder)).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({"saev", "safetensors", "pickle", "samediff", "npy", "parquet"})
  void layersAndPartsAreNotWrittenBelowADataset(String format) throws IOException {
    Path to = folder.resolve("dst");
    Path dataset = Cli.convert(Fixtures.small(), to, format).succeeds().lastLinePath();
    refused(format, dataset, dataset, "shuffle SRC OUT --to npy");
    refused(format, dataset, dataset, "shuffle SRC OUT");
    refused(format, dataset, dataset, "shuffle SRC OUT --layers 13 --partition a=0.5,b=0.5");
    refused(format, dataset, dataset, "convert SRC OUT --to saev");
  }

  @ParameterizedTest
  @CsvSource({"saev", "safetensors", "pickle", "npy"})
  void nothingIsWrittenInADatasetThatHasDocuments(String format) throws IOException {
    Path to = folder.resolve("dst");
    Path dataset = Cli.convert(Fixtures.small(), to, format).succeeds().lastLinePath();
    refused(format, dataset, dataset.resolve("x"), "convert SRC OUT --to safetensors");
    refused(format, dataset, dataset.resolve("x"), "convert SRC OUT --to saev");
    refused(format, dataset, dataset.resolve("x/y"), "convert SRC OUT --to npy");
    refused(format, dataset, dataset.resolve("x"), "shuffle SRC OUT --to npy");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"convert SRC OUT --to npy", "convert SRC OUT --to saev", "shuffle SRC OUT"})
  void aFolderOfArraysAndOtherFilesMayHoldOne(String command) throws IOException {
    Path written = folder.resolve("written");
    Cli.convert(Fixtures.small(), written, "npy").succeeds();
    Files.move(written.resolve("layer_13.npy"), folder.resolve("layer_13.npy"));
    Path out = folder.resolve("out");
    Cli.run(words(command, out)).succeeds();
    assertThat(out).isDirectory();
  }

  @Test
  void aFolderOfDatasetsMayHoldMore() throws IOException {
    Path out = folder.resolve("out");
    for (int seed = 1; seed < 3; seed++) {
      Cli.run("shuffle", Fixtures.small(), out, "--seed", seed).succeeds();
    }
    Cli.convert(Fixtures.small(), out, "saev --protocol 2.1").succeeds();
    assertThat(Cli.run("inspect", out).stderr())
        .contains("contains 7 datasets, but is not one itself");
  }
}
