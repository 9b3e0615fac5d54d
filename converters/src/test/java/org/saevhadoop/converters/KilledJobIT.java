package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.Geometry;

/** A conversion killed at any moment leaves no dataset, and the next run succeeds. */
class KilledJobIT {
  private static final List<String> JVM = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");

  @TempDir Path folder;

  @Test
  void aKilledConversionLeavesNoDatasetAndTheNextRunSucceeds()
      throws IOException, InterruptedException {
    Geometry geometry = new Geometry(400, List.of(13, 21), 257, 1024);
    Path source = SparseDataset.create(folder.resolve("source"), geometry, 100);
    Path output = folder.resolve("output");
    long start = System.nanoTime();
    Launched.succeeds(
        output, JVM, "convert", source, folder.resolve("whole"), "--to", "safetensors");
    long whole = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    String digest = ConvertTest.digest(source);
    Random random = new Random(42);
    int killed = 0;
    for (int i = 0; i < 12; i++) {
      Path target = folder.resolve("target" + i);
      Process process =
          Launched.start(
              output, JVM, "convert", source, target, "--to", "safetensors", "--batch-size", 50);
      process.waitFor((long) (whole * (0.2 + 0.9 * random.nextDouble())), TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
      if (!Files.exists(target)) {
        killed++;
        Launched.succeeds(
            output, JVM, "convert", source, target, "--to", "safetensors", "--batch-size", 50);
      }
      // there is the whole dataset or none, whenever the kill came
      assertThat(ConvertTest.digest(target)).isEqualTo(digest);
      assertThat(folder.resolve("_target" + i + ".unfinished")).doesNotExist();
      deleteDataset(target);
    }
    assertThat(killed).as("kills that came before the end").isPositive();
  }

  private static void deleteDataset(Path dataset) throws IOException {
    for (String name : ConvertTest.files(dataset)) {
      Files.delete(dataset.resolve(name));
    }
  }
}
