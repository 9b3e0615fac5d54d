package org.saevhadoop.converters.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.run.RecordedRun;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.testing.Programs;

/** {@code shuffle --partition --resume} after a run that was killed at any moment. */
@Tag("late")
@Tag("sampled")
@Tag("long")
class ShufflePartitionResumeTest extends ConvertedDatasets {
  private static final String PARTS = "--partition=train=0.6,val=0.4";

  @TempDir static Path recorded;
  private static Path source;
  private static Path place;
  private static Path out;
  private static Map<String, ByteBuffer> expected;
  private static RecordedRun run;

  @BeforeAll
  static void recordRun() throws IOException, InterruptedException {
    Programs.require("strace", "-V");
    NaiveActivations naive = new NaiveActivations(10, List.of(4), 5, 16, true, false);
    source = naive.writeSaev(recorded.resolve("source"));
    place = Files.createDirectory(recorded.toRealPath().resolve("place"));
    out = place.resolve("out");
    run = RecordedRun.of(place, command(PARTS, "--provenance"));
    expected = contents();
    assertThat(expected.keySet()).anyMatch(name -> name.startsWith("out/val/"));
  }

  private static Object[] command(Object... options) {
    return new Object[] {
      "shuffle",
      source,
      out,
      "--to=safetensors",
      "--batch-size=8",
      "-Dmapreduce.input.fileinputformat.split.maxsize=700",
      options
    };
  }

  private static Cli shuffle(Object... options) {
    return Cli.run(command(PARTS, "--provenance", options));
  }

  private static Map<String, ByteBuffer> contents() throws IOException {
    Map<String, ByteBuffer> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(place)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.put(place.relativize(file).toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  private static List<String> steps(Cli resumed) throws IOException {
    return resumed.json().findValuesAsText("step");
  }

  /** Leaves what a run leaves that is killed as soon as it has renamed a file or folder to this. */
  private static void killedAfter(String renamed) throws IOException {
    run.restore(run.firstRename(out + "/" + renamed) + 1);
  }

  private static Path staged() throws IOException {
    try (Stream<Path> folders = Files.list(out)) {
      return folders
          .filter(path -> path.getFileName().toString().matches("_train\\.[0-9a-f]+\\..*"))
          .findFirst()
          .orElseThrow()
          .resolve("data");
    }
  }

  private static void changeByte(Path path, long position) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(position);
      int value = file.read();
      file.seek(position);
      file.write(value ^ 1);
    }
  }

  @Test
  void fromEachMomentTheSameDatasetsAreReached() throws IOException {
    List<String> failures = new ArrayList<>();
    int step = Math.max(1, run.calls() / TestExtent.of(12, 150));
    for (int call = 0; call < run.calls(); call += step) {
      run.restore(call);
      Cli resumed = shuffle("--resume");
      if (resumed.exitCode() != 0 || !contents().equals(expected)) {
        failures.add("before %s: %s".formatted(run.call(call), resumed.stderr()));
      }
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void rowsOfAllPartsStayUntilTheLastIsPublished() throws IOException {
    killedAfter("train");
    Cli resumed = shuffle("--resume", "--json").succeeds();
    assertThat(steps(resumed)).containsExactly("convert");
    assertThat(resumed.stderr()).contains("the interrupted run had published the dataset");
    assertThat(contents()).isEqualTo(expected);
  }

  @Test
  void theFilesOfATaskCountForAllPartsOrForNone() throws IOException {
    killedAfter("_train\\.[0-9a-f]+\\.saev-hadoop/data/rows-000000000000-2\\.1");
    Cli resumed = shuffle("--resume", "--json").succeeds();
    assertThat(steps(resumed)).containsExactly("shuffle", "convert", "convert");
    assertThat(contents()).isEqualTo(expected);
  }

  /** A split whose rows are made again makes the rows of all parts. */
  @Test
  void damagedRowsOfTheSecondPartAreMadeAgainAfterTheFirstIsPublished() throws IOException {
    killedAfter("train");
    List<Path> rows;
    try (Stream<Path> files = Files.list(staged())) {
      rows = files.filter(file -> file.toString().matches(".*/rows-[0-9-]+\\.1")).sorted().toList();
    }
    assertThat(rows).hasSize(5);
    changeByte(rows.get(2), Files.size(rows.get(2)) - 1);
    Cli resumed = shuffle("--resume", "--json").succeeds();
    assertThat(resumed.stderr()).contains(rows.get(2).getFileName() + " is damaged");
    assertThat(contents()).isEqualTo(expected);
  }

  @Test
  void theRowsOfAnotherPartitionAreRefused() throws IOException {
    killedAfter("_train\\.[0-9a-f]+\\.saev-hadoop/data/done-0.*");
    Map<String, ByteBuffer> left = contents();
    Cli.run(command("--partition=train=0.7,val=0.3", "--provenance", "--resume"))
        .failsWithKind(FileError.NOT_RESUMABLE.name(), staged().getParent());
    assertThat(contents()).isEqualTo(left);
  }

  @Test
  void theSamePathsCanBeOverwrittenAfterARunWasKilled() throws IOException {
    killedAfter("train");
    shuffle().failsWithText("already exists, with 1 of the 2 datasets of this shuffle missing");
    shuffle("--overwrite").succeeds();
    assertThat(contents()).isEqualTo(expected);
  }
}
