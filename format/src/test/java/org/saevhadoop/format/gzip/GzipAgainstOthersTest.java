package org.saevhadoop.format.gzip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.testing.Programs.output;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.testing.Programs;
import org.saevhadoop.testing.Python;

/** What is written is read by Python and the usual tools, and the other way round. */
@Tag("late")
class GzipAgainstOthersTest {
  private static final String READ =
      "import gzip, sys; sys.stdout.buffer.write(gzip.open(sys.argv[1]).read())";
  private static final String WRITE =
      """
      import gzip, sys
      data = sys.stdin.buffer.read()
      for part in data[:100000], b'', data[100000:]:
          sys.stdout.buffer.write(gzip.compress(part, int(sys.argv[1])))
      sys.stdout.buffer.write(bytes(512))
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "false, -1",
    "true, -1",
    "false, 0",
    "true, 0",
    "false, 6",
    "true, 9",
  })
  void pythonAndTheToolsReadWhatIsWritten(boolean singleMember, int level) throws Exception {
    byte[] data = data();
    Path file = folder.resolve("a.gz");
    Integer zlibLevel = level < 0 ? null : level;
    Files.write(file, Gz.written(data, new BgzfOutput.Options(zlibLevel, singleMember, 2)));
    assertThat(Python.MACHINE.bytes(new byte[0], READ, file)).isEqualTo(data);
    assertThat(output("gzip", "-dc", file.toString())).isEqualTo(data);
    if (!singleMember && Programs.succeeds("bgzip", "--version")) {
      assertThat(output("bgzip", "-dc", file.toString())).isEqualTo(data);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "9"})
  void whatPythonWritesIsRead(String level) throws Exception {
    byte[] data = data();
    byte[] file = Python.MACHINE.bytes(data, WRITE, level);
    assertThat(Gz.read(file, 2)).isEqualTo(data);
  }

  /** Numbers, zeros and noise. */
  private static byte[] data() {
    byte[] data = new byte[400_000];
    Random random = new Random(3);
    for (int i = 0; i < 200_000; i++) {
      data[i] = (byte) (random.nextGaussian() * 20);
    }
    System.arraycopy(Gz.random(100_000, 4), 0, data, 300_000, 100_000);
    return data;
  }
}
