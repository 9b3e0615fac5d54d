package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.mapreduce.FaultyFileSystem;

/** How many bytes of each file {@code digest --save} reads. */
@Tag("late")
@ResourceLock(FaultyFileSystem.SCHEME)
class DigestReadsTest {
  private static final NaiveActivations NAIVE =
      new NaiveActivations(23, List.of(9, 4), 3, 2000, false, true);

  @TempDir Path folder;
  private final Configuration conf = new Configuration();

  @BeforeEach
  void register() {
    FaultyFileSystem.register(conf);
  }

  private Path dataset(String options) throws IOException {
    Path source = NAIVE.writeSaev(folder.resolve("source"));
    if (options.equals("saev")) {
      return source;
    }
    Path converted = folder.resolve("converted");
    Cli.convert(source, converted, options).succeeds();
    return converted;
  }

  private static void assertSumsOfFiles(Path dataset, Path sums) throws Exception {
    List<String> expected = new ArrayList<>();
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    for (String name : ConvertTest.files(dataset)) {
      byte[] sum = sha256.digest(Files.readAllBytes(dataset.resolve(name)));
      expected.add(
          "%s  %s/%s".formatted(HexFormat.of().formatHex(sum), dataset.getFileName(), name));
    }
    List<String> lines = Files.readAllLines(sums);
    assertThat(lines.subList(1, lines.size())).containsExactlyElementsOf(expected);
  }

  /**
   * The description of a file, its header or graph, is also read by the client and by tasks that
   * open the dataset.
   */
  @ParameterizedTest
  @CsvSource({
    "saev, .bin, 0",
    "safetensors --columns acts, .safetensors, 64000",
    "safetensors --columns layers, .safetensors, 64000",
    "safetensors --columns layers --batch-size 5, .safetensors, 64000",
    "safetensors --kv --columns layers, .safetensors, 64000",
    "samediff, .sdnb, 8000",
    "samediff --container sdz, .sdz, 256000"
  })
  void eachFileIsReadOnce(String options, String suffix, int description) throws Exception {
    Path dataset = dataset(options);
    Path sums = folder.resolve("sums");
    String line =
        Cli.run(conf, "digest", FaultyFileSystem.uri(dataset), "--save=" + sums)
            .succeeds()
            .lastLine();
    List<Integer> examples = IntStream.range(0, 23).boxed().toList();
    assertThat(line).isEqualTo(NAIVE.digestLine(examples, NAIVE.layers(), List.of(0, 1, 2)));
    assertSumsOfFiles(dataset, sums);
    Map<String, Long> read = FaultyFileSystem.bytesRead();
    for (String name : ConvertTest.files(dataset)) {
      long bytes = Files.size(dataset.resolve(name));
      assertThat(read.get(name)).as(name).isGreaterThanOrEqualTo(bytes);
      if (name.endsWith(suffix) && !name.startsWith("labels")) {
        assertThat(read.get(name)).as(name).isLessThanOrEqualTo(bytes + description);
      }
    }
  }

  @Test
  void streamsAreStagedAndTheirFilesAreSummed() throws Exception {
    Path dataset = dataset("pickle");
    Path sums = folder.resolve("sums");
    String line = Cli.run("digest", dataset, "--save=" + sums).succeeds().lastLine();
    assertThat(line).isEqualTo(Cli.run("digest", dataset).succeeds().lastLine());
    assertSumsOfFiles(dataset, sums);
  }

  @ParameterizedTest
  @CsvSource({"saev", "safetensors --columns layers"})
  void valuesAreConvertedBeforeTheyAreDigested(String options) throws Exception {
    Path dataset = dataset(options);
    String type = "-Dsaev.input.dtype=BF16";
    Path sums = folder.resolve("sums");
    String saved = Cli.run("digest", dataset, type, "--save=" + sums).succeeds().lastLine();
    assertThat(saved)
        .isEqualTo(Cli.run("digest", dataset, type).succeeds().lastLine())
        .isNotEqualTo(Cli.run("digest", dataset).succeeds().lastLine());
    assertSumsOfFiles(dataset, sums);
  }
}
