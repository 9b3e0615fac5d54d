package org.saevhadoop.converters.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.format.TestExtent;

/** Statistics of large models in 256 MiB; in a sample, of a quarter of the dimensions in 64 MiB. */
@Tag("sampled")
class StatsMemoryIT {
  private static final int PARTS = TestExtent.of(4, 1);
  private static final int EXAMPLES = TestExtent.of(200, 700);
  private static final int LAYERS = 64;
  private static final int DIM = 16_384 / PARTS;

  @TempDir Path folder;

  @Test
  void statisticsOf64LayersOf16384DimensionsFitASmallHeap() throws Exception {
    Path file = folder.resolve("sparse.safetensors");
    long bytes = 4L * EXAMPLES * LAYERS * DIM;
    String header =
        "{\"acts\":{\"dtype\":\"F32\",\"shape\":[%d,%d,1,%d],\"data_offsets\":[0,%d]}}"
            .formatted(EXAMPLES, LAYERS, DIM, bytes);
    ByteBuffer length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    length.putLong(header.length());
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.write(length.array());
      out.write(header.getBytes(StandardCharsets.US_ASCII));
      out.setLength(8 + header.length() + bytes);
    }
    Path output = folder.resolve("output");
    Process process =
        Launched.start(
            Main.class,
            output,
            Launched.shortWith("-Xmx" + 256 / PARTS + "m"),
            "stats",
            file,
            "--quiet");
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    try (Stream<String> lines = Files.lines(output)) {
      List<String> all = lines.toList();
      assertThat(String.join(" ", all).replaceAll(" +", " "))
          .contains(String.format(Locale.ROOT, "; %,d dead dims: 0, 1,", DIM));
      assertThat(all.stream().filter(line -> line.endsWith(" zero dead"))).hasSize(LAYERS);
    }
    assertThat(process.exitValue()).isZero();
  }
}
