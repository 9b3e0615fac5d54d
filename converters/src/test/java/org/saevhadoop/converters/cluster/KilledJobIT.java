package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.converters.storage.SparseDataset;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.storage.LocalTree;

/**
 * A conversion killed at any moment leaves no dataset. The next run succeeds, from the beginning or
 * from the files that are complete.
 */
@Tag("sampled")
class KilledJobIT {
  private static final Geometry GEOMETRY =
      new Geometry(TestExtent.of(16, 48), List.of(13, 21), 257, 1024);

  @TempDir Path folder;
  private static Path source;
  private static String digest;

  @BeforeAll
  static void createSource(@TempDir Path shared) throws IOException {
    source = SparseDataset.create(shared, GEOMETRY, GEOMETRY.examples() / 4);
    digest = ConvertTest.digest(source);
  }

  static Stream<String> conversions() {
    return Stream.of(
            "--to safetensors --batch-size 6",
            "--to pickle --uncompressed --shard-mb 12 --resume",
            "--to safetensors --batch-size 6 --resume")
        .limit(TestExtent.of(2, 3));
  }

  @ParameterizedTest
  @MethodSource("conversions")
  void aKilledConversionLeavesNoDatasetAndTheNextRunSucceeds(String options)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    long bytes = GEOMETRY.examples() * GEOMETRY.exampleBytes();
    boolean killed = false;
    for (int tenth = 1; tenth <= 11 && !killed; tenth += 2) {
      Path target = folder.resolve("target" + tenth);
      Object[] convert = {"convert", source, target, options.split(" ")};
      Process process = Launched.start(output, Launched.SHORT, convert);
      killOnceWritten(process, target, bytes * tenth / 10);
      if (!Files.exists(target)) {
        killed = true;
        Cli.run(convert).succeeds();
      }
      // there is the whole dataset or none, whenever the kill came
      assertThat(ConvertTest.digest(target)).isEqualTo(digest);
      assertThat(KilledRun.folder(target)).doesNotExist();
      LocalTree.delete(target);
    }
    assertThat(killed).as("a kill came before the end").isTrue();
  }

  /** Kills by what is on the disk, as time tells nothing on a busy machine; or lets it end. */
  private static void killOnceWritten(Process process, Path target, long bytes)
      throws InterruptedException {
    File unfinished = KilledRun.folder(target).toFile();
    while (process.isAlive()) {
      boolean begun = unfinished.exists() || Files.exists(target);
      if (begun && size(unfinished) + size(target.toFile()) >= bytes) {
        process.destroyForcibly();
      }
      process.waitFor(1, TimeUnit.MILLISECONDS);
    }
  }

  private static long size(File file) {
    File[] entries = file.listFiles();
    return entries == null
        ? file.length()
        : Arrays.stream(entries).mapToLong(KilledJobIT::size).sum();
  }
}
