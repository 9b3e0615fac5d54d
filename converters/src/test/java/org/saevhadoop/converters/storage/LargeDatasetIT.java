package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.console.SmallHeapCommands;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.dataset.Geometry;

/** 12 GiB, a shard of over 10 GiB among them, through a heap of 256 MiB; a sample, of 48 MiB. */
@Tag("sampled")
class LargeDatasetIT {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  @AutoClose
  private static final SmallHeapCommands SMALL_HEAP =
      new SmallHeapCommands(
          TestExtent.isWhole() ? List.of("-Xmx256m") : Launched.shortWith("-Xmx48m"));

  @TempDir Path folder;

  @Test
  void twelveGibibytesPassThroughASmallHeap() throws IOException, InterruptedException {
    Geometry geometry = new Geometry(6200, List.of(13, 21), 257, 1024);
    assertThat(geometry.examples() * geometry.exampleBytes()).isGreaterThan(12L << 30);
    Path source = SparseDataset.create(folder.resolve("source"), geometry, 5300);
    assertThat(Files.size(source.resolve("acts000000.bin"))).isGreaterThan(10L << 30);
    Path tensors = folder.resolve("tensors");
    // a sample begins, ends and crosses from shard to shard where the whole does
    String examples = TestExtent.isWhole() ? ":" : "0:20,2620:2625,5280:5310,6190:";
    run("convert", source, tensors, "--to", "safetensors", "--examples", examples);
    assertThat(digest(tensors)).isEqualTo(digest(source, "--examples", examples));
    assertThat(ConvertTest.files(tensors)).hasSize(TestExtent.of(4, 17));
  }

  @Test
  @Tag("long")
  void theShuffleFitsASmallHeapToo() throws IOException, InterruptedException {
    Geometry geometry = new Geometry(TestExtent.of(30, 300), List.of(13, 21), 257, 1024);
    Path source =
        SparseDataset.create(folder.resolve("source"), geometry, (int) geometry.examples() * 2 / 3);
    Path tensors = folder.resolve("tensors");
    String options = "--to safetensors --batch-size 70 -Dsaev.convert.plan=shuffle";
    run("convert", source, tensors, options.split(" "));
    assertThat(digest(tensors)).isEqualTo(digest(source));
  }

  private String digest(Path dataset, Object... options) throws IOException, InterruptedException {
    Cli digest = run("digest", dataset, options);
    return digest.text().lines().filter(l -> l.startsWith("sha256")).findFirst().get();
  }

  private static Cli run(Object... words) throws IOException, InterruptedException {
    return SMALL_HEAP.run(LIMIT, Cli.words(words).toArray()).succeeds();
  }
}
