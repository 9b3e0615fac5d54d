package org.saevhadoop.converters.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.console.SmallHeapCommands;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.dataset.SmallFile;
import org.saevhadoop.mapreduce.index.IndexForge;

/** Small indexes that claim much cost neither memory nor time. */
@Tag("late")
class IndexBombTest {
  private static final String FILE = "a.safetensors";
  private static final String KEY = "1__x";

  /** Most of it is for the load of the machine; what is refused takes less than a second. */
  private static final Duration MAX_TIME = Duration.ofMinutes(1);

  @AutoClose
  private static final SmallHeapCommands SMALL_HEAP =
      new SmallHeapCommands(Launched.shortWith("-XX:+ExitOnOutOfMemoryError"));

  @TempDir Path folder;

  @BeforeAll
  static void startTheSmallJvm(@TempDir Path other) throws Exception {
    Path file = SmallFile.ofThree(other.resolve(FILE), KEY);
    assertThat(SMALL_HEAP.run(Duration.ofMinutes(2), "inspect", file).exitCode()).isZero();
  }

  @BeforeEach
  void writeFile() throws IOException {
    SmallFile.ofThree(folder.resolve(FILE), KEY, "2__x");
  }

  /** All bombs; in a sample, one for each kind of excessive claim. */
  static Stream<Arguments> bombs() throws IOException {
    int million = 1_000_000;
    Stream<Arguments> sample =
        Stream.of(
            bomb(
                "200,000 equal keys in 6.6 KB", forge().pad(6000).equalRows(KEY, FILE, 200_000, 1)),
            bomb("2^31 rows", forge().equalRows(KEY, FILE, Integer.MAX_VALUE, 1)),
            bomb("10,000 row groups in one", forge().equalRows(KEY, FILE, 1000, 10_000)),
            bomb("30 million dimensions", forge().pad(million).dimensions(KEY, FILE, 30 * million)),
            bomb("a dictionary of 4 million", forge().dictionary(FILE, 4 * million)),
            bomb("a page of 2 GB", forge().unpackedSize(FILE, Integer.MAX_VALUE)),
            bomb("100,000 empty pages", forge().emptyPages("x", FILE, 100_000)),
            Arguments.of("a schema of 20 million", forge().fileWithSchema(20 * million)));
    return TestExtent.isWhole() ? Stream.concat(sample, largerBombs()) : sample;
  }

  private static Stream<Arguments> largerBombs() throws IOException {
    int million = 1_000_000;
    return Stream.of(
        bomb("3.8 million in 121 KB", forge().pad(121_000).equalRows(KEY, FILE, 3_800_000, 1)),
        bomb("30 million in 1 MB", forge().pad(million).equalRows(KEY, FILE, 30 * million, 1)),
        bomb("30 million other keys", forge().pad(million).equalRows("x", FILE, 30 * million, 1)),
        bomb("a dictionary of 16 million", forge().dictionary(FILE, 16 * million)),
        Arguments.of("a footer of 100 MB", forge().fileWithSchema(100 * million)));
  }

  private static IndexForge forge() {
    return new IndexForge();
  }

  private static Arguments bomb(String name, IndexForge forge) throws IOException {
    return Arguments.of(name, forge.file());
  }

  @ParameterizedTest(name = "{0}")
  @Tag("sampled")
  @MethodSource("bombs")
  void aBombIsRefusedInLittleMemoryAndTime(String name, byte[] index) throws Exception {
    Files.write(folder.resolve(TensorIndex.NAME), index);
    Cli cat = SMALL_HEAP.run(MAX_TIME, "cat", folder, "--key", KEY);
    assertThat(cat.stderr().lines()).hasSize(1);
    assertThat(cat.stderr()).contains(TensorIndex.NAME);
    if (cat.exitCode() == 0) { // The index lacks the key, but the file has it.
      assertThat(cat.stderr()).startsWith("warning: ");
      assertThat(cat.text().strip()).isEqualTo("0 1 2");
    } else {
      assertThat(cat.exitCode()).isEqualTo(1);
    }
    Cli check = SMALL_HEAP.run(MAX_TIME, "verify", folder, "--structure");
    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.text()).contains(TensorIndex.NAME);
  }
}
