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
import org.saevhadoop.format.dataset.Geometry;

/** 12 GiB, with a shard of over 10 GiB, in a heap of 256 MiB. */
@Tag("long")
class LargeDatasetIT {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  @AutoClose
  private static final SmallHeapCommands SMALL_HEAP = new SmallHeapCommands(List.of("-Xmx256m"));

  @TempDir Path folder;

  @Test
  void twelveGibibytesPassThroughASmallHeap() throws IOException, InterruptedException {
    Geometry geometry = new Geometry(6200, List.of(13, 21), 257, 1024);
    assertThat(geometry.examples() * geometry.exampleBytes()).isGreaterThan(12L << 30);
    Path source = SparseDataset.create(folder.resolve("source"), geometry, 5300);
    assertThat(Files.size(source.resolve("acts000000.bin"))).isGreaterThan(10L << 30);
    Path tensors = folder.resolve("tensors");
    run("convert", source, tensors, "--to", "safetensors");
    assertThat(digest(tensors)).isEqualTo(digest(source));
    assertThat(ConvertTest.files(tensors)).hasSize(17);
  }

  @Test
  void theShuffleFitsASmallHeapToo() throws IOException, InterruptedException {
    Geometry geometry = new Geometry(300, List.of(13, 21), 257, 1024);
    Path source =
        SparseDataset.create(folder.resolve("source"), geometry, (int) geometry.examples() * 2 / 3);
    Path tensors = folder.resolve("tensors");
    String options = "--to safetensors --batch-size 70 -Dsaev.convert.plan=shuffle";
    run("convert", source, tensors, options.split(" "));
    assertThat(digest(tensors)).isEqualTo(digest(source));
  }

  private String digest(Path dataset) throws IOException, InterruptedException {
    Cli digest = run("digest", dataset);
    return digest.text().lines().filter(l -> l.startsWith("sha256")).findFirst().get();
  }

  private static Cli run(Object... words) throws IOException, InterruptedException {
    return SMALL_HEAP.run(LIMIT, Cli.words(words).toArray()).succeeds();
  }
}
