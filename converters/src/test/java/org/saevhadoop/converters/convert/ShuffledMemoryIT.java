package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.converters.storage.SparseDataset;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.reader.vector.ReaderOptions;
import org.saevhadoop.format.reader.vector.ShuffledReader;
import org.saevhadoop.format.reader.vector.TokenChoice;
import org.saevhadoop.format.reader.vector.VectorView;
import org.saevhadoop.format.saev.directory.SaevDataset;

/** 12 GiB shuffled in the memory of the buffered batches and 64 MiB, the JVM's heap included. */
@Tag("sampled")
class ShuffledMemoryIT {
  private static final int BATCH_SIZE = TestExtent.of(1536, 4096);
  private static final int BUFFER_SIZE = 16;

  @TempDir Path folder;

  @Test
  void anEpochNeedsNoMoreThanItsBufferAndAFewMebibytes() throws IOException, InterruptedException {
    Geometry geometry = new Geometry(6200, List.of(13, 21), 257, 1024);
    assertThat(geometry.examples() * geometry.exampleBytes()).isGreaterThan(12L << 30);
    Path dataset = SparseDataset.create(folder.resolve("source"), geometry, 2000);
    long buffered = (long) BATCH_SIZE * BUFFER_SIZE * geometry.vectorBytes() >> 20;
    List<String> memory =
        List.of("-Xmx24m", "-XX:MaxDirectMemorySize=" + (buffered + 40) + "m", "-XX:+UseSerialGC");
    Path output = folder.resolve("output");
    // holes that the page cache does not have yet are slow: a sample fills the buffer four times
    long vectors = TestExtent.isWhole() ? geometry.examples() * 512 : 4L * BATCH_SIZE * BUFFER_SIZE;
    Process process = Launched.start(Epoch.class, output, memory, dataset, vectors);
    assertThat(process.waitFor(TestExtent.of(2, 20), TimeUnit.MINUTES)).isTrue();
    String said = Files.readString(output);
    assertThat(process.exitValue()).as(Launched.said(output)).isZero();
    assertThat(Long.parseLong(said.strip())).isGreaterThanOrEqualTo(vectors);
  }

  /** Reads the vectors of an epoch up to a number of them; prints how many came. */
  static final class Epoch {
    private Epoch() {}

    public static void main(String[] args) throws IOException {
      SaevDataset dataset = SaevDataset.open(new LocalFolder(Path.of(args[0])));
      ReaderOptions options =
          ReaderOptions.defaults().withBatchSize(BATCH_SIZE).withBufferSize(BUFFER_SIZE);
      long vectors = 0;
      VectorView view = VectorView.of(dataset, 1, TokenChoice.IMAGE, null);
      try (ShuffledReader reader = new ShuffledReader(dataset, view, options)) {
        while (vectors < Long.parseLong(args[1]) && reader.next()) {
          vectors += reader.batch().rows();
        }
      }
      System.out.println(vectors);
    }
  }
}
