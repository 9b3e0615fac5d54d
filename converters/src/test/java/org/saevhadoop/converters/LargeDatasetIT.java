package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.Geometry;

/** 12 GiB, a shard of over 10 GiB among them, through a heap of 256 MiB. */
class LargeDatasetIT {
  private static final List<String> SMALL_HEAP = List.of("-Xmx256m");

  @TempDir Path folder;

  @Test
  void twelveGibibytesPassThroughASmallHeap() throws IOException, InterruptedException {
    Geometry geometry = new Geometry(6200, List.of(13, 21), 257, 1024);
    assertThat(geometry.examples() * geometry.exampleBytes()).isGreaterThan(12L << 30);
    Path source = SparseDataset.create(folder.resolve("source"), geometry, 5300);
    assertThat(Files.size(source.resolve("acts000000.bin"))).isGreaterThan(10L << 30);
    Path output = folder.resolve("output");
    Path tensors = folder.resolve("tensors");
    Launched.succeeds(output, SMALL_HEAP, "convert", source, tensors, "--to", "safetensors");
    assertThat(digest(tensors)).isEqualTo(digest(source));
    try (Stream<Path> parts = Files.list(tensors)) {
      assertThat(parts).hasSize(14);
    }
  }

  @Test
  void theShuffleFitsASmallHeapToo() throws IOException, InterruptedException {
    Geometry geometry = new Geometry(300, List.of(13, 21), 257, 1024);
    Path source = SparseDataset.create(folder.resolve("source"), geometry, 200);
    Path output = folder.resolve("output");
    Path tensors = folder.resolve("tensors");
    Launched.succeeds(
        output,
        SMALL_HEAP,
        "convert",
        source,
        tensors,
        "--to",
        "safetensors",
        "--batch-size",
        70,
        "-Dsaev.convert.plan=shuffle");
    assertThat(digest(tensors)).isEqualTo(digest(source));
  }

  private String digest(Path dataset) throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "digest", ".txt");
    Launched.succeeds(output, SMALL_HEAP, "digest", dataset);
    return Files.readString(output).lines().filter(l -> l.startsWith("sha256")).findFirst().get();
  }
}
