package org.saevhadoop.converters.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.run.RecordedRun;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.testing.Programs;

/** A shuffle of several layers that was killed, and is typed again. */
@Tag("late")
class ShuffleLayersResumeTest extends ConvertedDatasets {
  @TempDir static Path recorded;
  private static Path source;
  private static Path out;
  private static Path expected;
  private static RecordedRun run;

  @BeforeAll
  static void recordRun() throws IOException, InterruptedException {
    Programs.require("strace", "-V");
    NaiveActivations naive = new NaiveActivations(6, List.of(4, 7, 9), 3, 8, true, false);
    source = naive.writeSaev(recorded.resolve("source"));
    Path place = Files.createDirectory(recorded.toRealPath().resolve("place"));
    out = place.resolve("out");
    run = RecordedRun.of(place, command("--batch-size=3"));
    expected = Files.move(out, recorded.resolve("expected"));
  }

  private static Object[] command(Object... options) {
    return new Object[] {"shuffle", source, out, "--to=safetensors", options};
  }

  private static Cli shuffle(Object... options) {
    return Cli.run(command(options));
  }

  /** Leaves what a run leaves that is killed as soon as it has renamed a file or folder to this. */
  private static void killedAfter(String renamed) throws IOException {
    run.restore(run.firstRename(out + "/" + renamed) + 1);
  }

  /** Returns the files of datasets and runs. */
  private static List<String> left() throws IOException {
    try (Stream<Path> all = Files.walk(out)) {
      return all.map(Path::toString).sorted().toList();
    }
  }

  private static void assertWritten() throws IOException {
    assertThat(files(out)).containsExactly("layer_4", "layer_7", "layer_9");
    for (String layer : files(out)) {
      assertSameFiles(out.resolve(layer), expected.resolve(layer));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2, layer_4",
    "2, _layer_7\\.[0-9a-f]+\\.saev-hadoop/data/done-0.*",
    "1, layer_7",
    "1, _layer_9\\.saev-hadoop/data/part-00000-.*"
  })
  void theRefusalNamesResumeIfLayersAreMissing(int missing, String moment) throws IOException {
    killedAfter(moment);
    List<String> before = left();
    shuffle("--batch-size=3", "--dry-run").failsWithText("--resume");
    shuffle("--batch-size=3")
        .failsWithText(
            FileError.ALREADY_EXISTS,
            out + "/layer_4: already exists, with " + missing + " of the 3 datasets",
            "--overwrite, or --resume if a shuffle was interrupted");
    assertThat(left()).isEqualTo(before);
    shuffle("--batch-size=3", "--resume").succeeds();
    assertWritten();
  }

  @Test
  void aRunThatHadPublishedNoLayerIsBegunAgainWithAWordAboutResume() throws IOException {
    killedAfter("_layer_4\\.[0-9a-f]+\\.saev-hadoop/data/done-0.*");
    assertThat(shuffle("--batch-size=3").succeeds().stderr())
        .contains("(--resume would have continued it)");
    assertWritten();
  }

  @Test
  void aDryRunOfSeveralLayersPrintsTheirTotal() throws IOException {
    run.restore(0);
    Cli dry = shuffle("--batch-size=3", "--dry-run").succeeds();
    assertThat(dry.text().lines().filter(line -> line.startsWith("plan "))).hasSize(3);
    JsonNode plans = shuffle("--batch-size=3", "--dry-run", "--json").succeeds().json();
    long files = 0;
    long bytes = 0;
    for (JsonNode plan : plans.get("datasets")) {
      files += plan.get("files").longValue();
      bytes += plan.get("bytes_written").longValue();
    }
    assertThat(dry.lastLine())
        .startsWith("total      3 datasets, reads ")
        .endsWith(", writes %d files, %s".formatted(files, ByteSizes.show(bytes)));
  }

  @Test
  void datasetsThatAreAllThereAreNoInterruptedShuffle() throws IOException {
    run.restore(run.calls());
    shuffle("--batch-size=3")
        .failsWithText("layer_4: already exists (expected a new path, or --overwrite)");
    shuffle("--batch-size=3", "--overwrite").succeeds();
    assertWritten();
  }
}
