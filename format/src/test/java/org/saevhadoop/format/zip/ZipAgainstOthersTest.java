package org.saevhadoop.format.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.testing.Programs.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.gzip.Gz;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.testing.Python;

/** What is written is read by Python and unzip, and what they write is read. */
@Tag("late")
class ZipAgainstOthersTest {
  private static final byte[] DATA = new byte[400_000];

  static {
    new Random(3).nextBytes(DATA);
    Arrays.fill(DATA, 100_000, 300_000, (byte) 0);
  }

  private static final String READ =
      """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1]) as archive:
          assert archive.testzip() is None
          for entry in archive.infolist():
              assert entry.date_time == (1980, 1, 1, 0, 0, 0)
              print(entry.filename, entry.file_size, file=sys.stderr)
              sys.stdout.buffer.write(archive.read(entry))
      """;

  private static final String WRITE =
      """
      import sys, zipfile
      data = sys.stdin.buffer.read()
      with open(sys.argv[1], 'wb') as file:
          target = file
          if sys.argv[3] == 'True':
              class Pipe:
                  def write(self, data): return file.write(data)
                  def flush(self): file.flush()
              target = Pipe()
          with zipfile.ZipFile(target, 'w', int(sys.argv[2])) as archive:
              archive.writestr('model', data)
              with archive.open('model.wide.sdnb', 'w', force_zip64=True) as entry:
                  entry.write(data)
              archive.comment = b'written by Python'
      """;

  @TempDir Path folder;

  private Path written() throws IOException {
    Path file = folder.resolve("ours.zip");
    try (ZipWriter writer = new ZipWriter(LocalFile.create(file), 6, ZipReading.ROOT)) {
      HandMadeZip.addStored(writer, "model.a", DATA);
      HandMadeZip.addDeflated(writer, "\u03b1.sdnb", DATA);
    }
    return file;
  }

  @Test
  void pythonReadsWhatIsWritten() throws Exception {
    assertThat(Python.MACHINE.bytes(new byte[0], READ, written())).isEqualTo(Gz.join(DATA, DATA));
  }

  @Test
  void unzipFindsNoFaultInWhatIsWritten() throws Exception {
    String file = written().toString();
    assertThat(output("unzip", "-t", file))
        .asString()
        .contains("No errors detected in compressed data");
    assertThat(output("unzip", "-p", file, "model.a")).isEqualTo(DATA);
  }

  /** Method 0 and 8; to a pipe, Python writes data descriptors. */
  @ParameterizedTest
  @CsvSource({"0, False", "0, True", "8, False", "8, True"})
  void whatPythonWritesIsRead(String method, String pipe) throws Exception {
    Path file = folder.resolve("theirs.zip");
    Python.MACHINE.bytes(DATA, WRITE, file, method, pipe);
    assertThat(ZipReading.readAll(LocalFile.open(file)))
        .containsOnlyKeys("model", "model.wide.sdnb")
        .allSatisfy((name, read) -> assertThat(read).isEqualTo(DATA));
  }

  /** zip deletes an entry, and adds one. */
  @Test
  void whatZipChangesIsRead() throws Exception {
    Path model = Files.write(folder.resolve("model"), DATA);
    Path file = written();
    output("zip", "-q", "-d", file.toString(), "model.a");
    output("zip", "-q", "-j", file.toString(), model.toString());
    assertThat(ZipReading.readAll(LocalFile.open(file)))
        .containsOnlyKeys("\u03b1.sdnb", "model")
        .allSatisfy((name, read) -> assertThat(read).isEqualTo(DATA));
  }
}
