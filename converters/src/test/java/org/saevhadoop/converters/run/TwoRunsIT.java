package org.saevhadoop.converters.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.converters.storage.SparseDataset;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.io.FileError;

/**
 * Two runs to one path, at any distance in time: the path holds the whole dataset of one of them.
 */
@Tag("sampled")
class TwoRunsIT {
  private static final int MAX_OFFSET_MILLIS = 600;

  @TempDir Path folder;
  private Path place;
  private Path out;
  private Path first;
  private Path second;

  @BeforeEach
  void createSources() throws IOException {
    place = Files.createDirectory(folder.resolve("place"));
    out = place.resolve("new/out");
    first = source("first", 40);
    second = source("second", 56);
  }

  /** A dataset whose size, and therefore digest, is its own. */
  private Path source(String name, int examples) throws IOException {
    Geometry geometry = new Geometry(examples, List.of(1, 2), 65, 256);
    return SparseDataset.create(folder.resolve(name), geometry, 8);
  }

  static IntStream pairs() {
    return IntStream.range(0, TestExtent.of(3, 8));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void ofTwoRunsInOneProcessOneWritesAndTheOtherReportsIt(int pair) throws Exception {
    Random random = new Random(pair);
    boolean overwrite = random.nextBoolean();
    if (overwrite) {
      Cli.run(convert(first, true)).succeeds();
    }
    ExecutorService threads = Executors.newFixedThreadPool(2);
    CompletableFuture<Cli> early =
        CompletableFuture.supplyAsync(() -> Cli.run(convert(first, overwrite)), threads);
    Thread.sleep(random.nextInt(MAX_OFFSET_MILLIS));
    Cli late = Cli.run(convert(second, overwrite));
    List<Cli> runs = List.of(early.get(60, TimeUnit.SECONDS), late);
    threads.shutdown();
    for (Cli run : runs) {
      if (run.exitCode() != 0) {
        run.failsWithText(place.toString());
        assertThat(ErrorAssertions.find(run.failure()).kind())
            .as(run.stderr())
            .isIn(FileError.IN_USE, FileError.ALREADY_EXISTS);
      }
    }
    assertThat(runs).as("%s", runs).anyMatch(run -> run.exitCode() == 0);
    if (!overwrite) {
      assertThat(runs).as("%s", runs).anyMatch(run -> run.exitCode() != 0);
    }
    String digest = ConvertTest.digest(out);
    if (runs.get(0).exitCode() != 0 || runs.get(1).exitCode() != 0) {
      Path written = runs.get(0).exitCode() == 0 ? first : second;
      assertThat(digest).isEqualTo(ConvertTest.digest(written));
    }
    assertThat(digest).isIn(ConvertTest.digest(first), ConvertTest.digest(second));
    assertThat(ConvertTest.files(out.getParent())).containsExactly("out");
    assertThat(ConvertTest.files(place)).containsExactly("new");
  }

  static IntStream kills() {
    return IntStream.range(0, TestExtent.of(1, 2));
  }

  @ParameterizedTest
  @MethodSource("kills")
  void aKilledRunIsTakenOverAndALivingOneIsNot(int pair) throws Exception {
    Random random = new Random(1000 + pair);
    boolean overwrite = random.nextBoolean();
    if (overwrite) {
      Cli.run(convert(first, true)).succeeds();
    }
    Path log = folder.resolve("log");
    List<Process> processes = new ArrayList<>();
    processes.add(Launched.start(log, Launched.SHORT, convert(first, overwrite)));
    Thread.sleep(random.nextInt(MAX_OFFSET_MILLIS));
    processes.add(Launched.start(log, Launched.SHORT, convert(second, overwrite)));
    Process killed = processes.get(random.nextInt(2));
    if (!killed.waitFor(500 + random.nextInt(3000), TimeUnit.MILLISECONDS)) {
      killed.destroyForcibly();
    }
    for (Process process : processes) {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    if (Files.exists(out)) {
      assertThat(ConvertTest.digest(out))
          .isIn(ConvertTest.digest(first), ConvertTest.digest(second));
    } else {
      assertThat(processes).noneMatch(process -> process.exitValue() == 0);
    }
    Cli.run(convert(second, true)).succeeds();
    assertThat(ConvertTest.digest(out)).isEqualTo(ConvertTest.digest(second));
    assertThat(ConvertTest.files(out.getParent())).containsExactly("out");
  }

  private Object[] convert(Path source, boolean overwrite) {
    String options = "--to safetensors --batch-size 8" + (overwrite ? " --overwrite" : "");
    return new Object[] {"convert", source, out, options.split(" ")};
  }
}
