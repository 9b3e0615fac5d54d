package org.saevhadoop.converters.samediff;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.format.samediff.ForeignContainer;
import org.saevhadoop.format.samediff.ForeignContainer.Storage;
import org.saevhadoop.format.samediff.JavaZip;
import org.saevhadoop.format.zip.ZipError;

/** The CRC-32 of a stored entry of SDZ is compared by commands that read the whole entry. */
@Tag("late")
class SdzChecksumTest {
  private static final NaiveActivations VALUES =
      new NaiveActivations(7, List.of(3, 9), 4, 5, true, true);

  @TempDir Path folder;
  private Path source;
  private Path out;

  @BeforeEach
  void writeSource() throws IOException {
    source = VALUES.writeSaev(folder.resolve("source"));
    out = folder.resolve("out");
  }

  /** Returns an SDZ file with a value of layer 9 that has changed. */
  private Path damaged(String... options) throws IOException {
    Path sdz = folder.resolve("sdz");
    Cli.run("convert", source, sdz, "--to=samediff", "--container=sdz", options).succeeds();
    Path archive = sdz.resolve("activations.sdz");
    convert(archive).succeeds();
    Fixtures.flip(archive, VALUES.vector(2, 9, 1));
    return archive;
  }

  private Cli convert(Path archive, String... options) {
    return Cli.run("convert", archive, out, "--overwrite", "--to=safetensors", options);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1073741824", "400"})
  void aValueThatChangedIsFoundByWhatReadsTheWholeEntry(String bytes) throws IOException {
    Path archive = damaged("--max-shard-bytes", bytes);
    String before = Cli.run("digest", out).succeeds().text();
    convert(archive).failsWith(ZipError.CRC_MISMATCH, archive);
    Cli.run("convert", archive, folder.resolve("saev"), "--to=saev")
        .failsWith(ZipError.CRC_MISMATCH, archive);
    assertThat(Cli.run("digest", out).succeeds().text()).isEqualTo(before);
    Cli.run("digest", archive).failsWith(ZipError.CRC_MISMATCH, archive);
    Cli list = Cli.run("list", archive, "--digests");
    assertThat(list.exitCode()).isEqualTo(1);
    assertThat(list.stderr()).contains("has CRC-32 ").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--layers=3", "--examples=3:", "--tokens=0", "--examples=0:6"})
  void aPartOfAnEntryIsReadWithoutACheck(String part) throws IOException {
    Path archive = damaged();
    convert(archive, part).succeeds();
    Cli.run("list", archive, "--digests", part).succeeds();
    Cli.run("list", archive).succeeds();
  }

  @Test
  void aPartThatIsAWholeEntryIsChecked() throws IOException {
    Path archive = damaged("--max-shard-bytes", "600");
    convert(archive, "--layers=3").succeeds();
    convert(archive, "--layers=9").failsWith(ZipError.CRC_MISMATCH, archive);
  }

  @ParameterizedTest
  @ValueSource(chars = {'c', 'f'})
  void anArchiveOfAnotherWriterIsChecked(char order) throws IOException {
    byte[] values = new byte[5 * 2 * 3 * 4];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) (i + 1);
    }
    Path shards = Files.createDirectory(folder.resolve("shards"));
    new ForeignContainer()
        .array("h", ForeignContainer.FLOAT, Storage.APPENDED, order, values, 5, 2, 3)
        .array("w", ForeignContainer.UBYTE, Storage.INLINE, 'c', new byte[2], 2)
        .writeShards(shards, "model", 100);
    Path archive = folder.resolve("net.sdz");
    JavaZip zip = new JavaZip();
    for (String name : ConvertTest.files(shards)) {
      zip.stored(name, Files.readAllBytes(shards.resolve(name)));
    }
    Files.write(archive, zip.bytes());
    convert(archive, "--tensor=h=example,token,dim").succeeds();
    Fixtures.flip(archive, Arrays.copyOf(values, order == 'c' ? 24 : 4));
    convert(archive, "--tensor=h=example,token,dim").failsWith(ZipError.CRC_MISMATCH, archive);
  }
}
