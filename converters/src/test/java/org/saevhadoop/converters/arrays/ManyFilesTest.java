package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.FaultyFileSystem;

/** What a dataset of many small files costs: requests, bytes, and lines of text. */
@ResourceLock(FaultyFileSystem.SCHEME)
class ManyFilesTest {
  private static final int FILES = 50;
  private static final int DIM = 300;
  private static final int NPY_HEADER = 128;

  @TempDir Path folder;
  private final Configuration conf = new Configuration();

  @BeforeEach
  void register() {
    FaultyFileSystem.register(conf);
  }

  private Path vectors(int files, int dim, int bytesAfter) throws IOException {
    Path source = Files.createDirectories(folder.resolve("source"));
    for (int i = 0; i < files; i++) {
      byte[] values = OwnArrays.bytes(new float[dim]);
      byte[] file = OwnArrays.npy(DType.F32, List.of((long) dim), values);
      ByteBuffer longer = ByteBuffer.allocate(file.length + bytesAfter * (1 + i % 2)).put(file);
      Files.write(source.resolve("v_%d.npy".formatted(i)), longer.array());
    }
    return source;
  }

  private Map<String, Long> opens() {
    return FaultyFileSystem.opened().stream()
        .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
  }

  @Test
  void aVectorIsOpenedForItsHeaderAndForItsValues() throws IOException {
    Path source = vectors(FILES, DIM, 0);
    Cli.run(conf, "digest", FaultyFileSystem.uri(source)).succeeds();
    for (int i = 0; i < FILES; i++) {
      String name = "v_%d.npy".formatted(i);
      assertThat(opens().get(name)).as(name).isEqualTo(2);
      assertThat(FaultyFileSystem.bytesRead().get(name))
          .as(name)
          .isLessThanOrEqualTo(NPY_HEADER + DIM * Float.BYTES);
    }
  }

  @Test
  void theFolderOfManyFilesIsListedOnceForEachQuestion() throws IOException {
    Path source = vectors(FILES, DIM, 0);
    Cli.run(conf, "digest", FaultyFileSystem.uri(source)).succeeds();
    // of the client, which asks for files and folders together, and of what the job reads
    assertThat(FaultyFileSystem.requests().get("listing")).isLessThanOrEqualTo(2);
  }

  @Test
  void inspectListsAThousandFilesAndCountsTheOthers() throws IOException {
    Path source = vectors(1001, 2, 0);
    String text = Cli.run("inspect", source).succeeds().text();
    assertThat(text.lines().filter(line -> line.contains(" 1 example "))).hasSize(1000);
    assertThat(text)
        .contains("shards               1001\n", "  and 1 more (--json lists them)\n")
        .contains("suggestion           1\n");
    assertThat(Cli.run("inspect", source, "--json").succeeds().json().get("shards")).hasSize(1001);
  }

  @Test
  void whatManyFilesHaveIsOneWarning() throws IOException {
    Path source = vectors(FILES, DIM, 4);
    assertThat(Cli.run("inspect", source, "--json").succeeds().json().get("warnings"))
        .hasSize(1)
        .first()
        .asString()
        .contains("the 4 bytes after the array are ignored (also in 49 other files)");
  }

  /** Writes 0 for the checksums of entries, as torch does after set_crc32_options(False). */
  private static void zeroChecksums(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (int i = 0; i < bytes.length - 30; i++) {
      boolean isEntry = bytes[i] == 'P' && bytes[i + 1] == 'K';
      if (isEntry && bytes[i + 2] == 3 && bytes[i + 3] == 4) {
        buffer.putInt(i + 14, 0);
      } else if (isEntry && bytes[i + 2] == 1 && bytes[i + 3] == 2) {
        buffer.putInt(i + 16, 0);
      }
    }
    Files.write(file, bytes);
  }

  @Test
  void filesWithoutChecksumsAreOneWarning() throws IOException {
    Path source = Files.createDirectories(folder.resolve("torch"));
    for (int i = 0; i < FILES; i++) {
      Map<String, Found> layer = new LinkedHashMap<>();
      layer.put("layer_3", Found.of("F32", List.of(1L, 2L), NaiveTensors.floats(i, 1)));
      zeroChecksums(OwnArrays.torch(layer, source.resolve("f_%d.pt".formatted(i))));
    }
    String tensor = "--tensor=layer_3=example,dim";
    assertThat(Cli.run("inspect", source, tensor, "--json").succeeds().json().get("warnings"))
        .hasSize(1)
        .first()
        .asString()
        .contains("has CRC-32 00000000", "(also in 49 other files)");
    Cli cli = Cli.run("verify", "--structure", source, tensor);
    assertThat((cli.stderr() + cli.text()).lines().filter(line -> line.contains("data/0")))
        .hasSize(1);
  }
}
