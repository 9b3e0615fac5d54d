package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.MountedFolder;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.mapreduce.FaultyFileSystem;

/** A full storage fails a conversion in one line, and nothing that was there comes to harm. */
@Tag("mounts")
@ResourceLock(FaultyFileSystem.SCHEME)
class FullDiskTest {
  private static final int STAGES = 35;

  private static final List<String> OPTIONS =
      List.of(
          "--to=safetensors",
          "--to=pickle",
          "--to=samediff --max-shard-bytes=6000",
          "--to=samediff --container=sdz");

  /** More than any conversion of this class writes. */
  private static final long PLENTY = 1 << 24;

  @TempDir Path temporary;
  private MountedFolder disk;
  private Path mounted;

  private final Path source = Fixtures.small();

  /** All conversions at each stage; in a sample, one of each format and each failure at some. */
  static Stream<Arguments> fullStorages() {
    List<Arguments> cases = new ArrayList<>();
    for (int stage = 0; stage < STAGES; stage += TestExtent.of(7, 2)) {
      for (int format = 0; format < OPTIONS.size(); format++) {
        for (int atClose = 0; atClose < 2; atClose++) {
          if (TestExtent.isWhole() || (format + 2 * atClose + stage / 7) % 4 == 0) {
            cases.add(Arguments.of(stage, OPTIONS.get(format), atClose == 1));
          }
        }
      }
    }
    return cases.stream();
  }

  @ParameterizedTest
  @Tag("sampled")
  @MethodSource("fullStorages")
  void aStorageThatIsFullAfterAnyNumberOfBytesKeepsTheOldDataset(
      int stage, String options, boolean atClose) throws IOException {
    Path out = temporary.resolve("out");
    Object[] convert = {
      "convert", source, FaultyFileSystem.uri(out), options.split(" "), "--overwrite"
    };
    Configuration conf = FaultyFileSystem.limited();
    FaultyFileSystem.setFree(PLENTY, atClose);
    Cli.run(conf, convert).succeeds();
    long needed = PLENTY - FaultyFileSystem.free();
    List<String> before = ConvertTest.files(out);
    FaultyFileSystem.setFree(needed * stage / STAGES, atClose);
    assertFull(Cli.run(conf, convert), temporary);
    assertThat(ConvertTest.files(out)).isEqualTo(before);
    assertThat(ConvertTest.files(temporary)).containsExactly("out");
    FaultyFileSystem.setFree(PLENTY, atClose);
    Cli.run(conf, convert).succeeds();
    assertThat(ConvertTest.files(temporary)).containsExactly("out");
  }

  static IntStream stages() {
    return IntStream.range(0, STAGES).filter(stage -> stage % 5 == 0);
  }

  @ParameterizedTest
  @MethodSource("stages")
  void aDiskThatIsFullAfterAnyNumberOfPagesKeepsTheOldDataset(int stage) throws Exception {
    mount(stage + 2);
    Path out = mounted.resolve("out");

    Path scratch = Files.createDirectory(temporary.resolve("scratch"));
    String tmp = "-Dhadoop.tmp.dir=" + (stage % 2 == 0 ? scratch : mounted.resolve("tmp"));
    Cli run = Cli.convert(source, out, "safetensors --batch-size 1 --no-space-check", tmp);
    if (run.exitCode() != 0) {
      assertFull(run, mounted);
      assertThat(out).doesNotExist();
    }
    // the folder of the run stays if files in it are complete
    assertThat(ConvertTest.files(mounted)).isSubsetOf("out", "tmp", "_out.saev-hadoop");
    assertThat(ConvertTest.files(scratch)).isEmpty();
  }

  @Test
  void aConversionThatFilledTheDiskIsContinuedOnceThereIsRoom() throws Exception {
    mount(5);
    Path out = mounted.resolve("out");
    String options =
        "safetensors --batch-size 1 --no-space-check -Dmapreduce.local.map.tasks.maximum=1";
    String aTaskForEachFile = "-Dmapreduce.input.fileinputformat.split.maxsize=2000";
    Cli full = Cli.convert(source, out, options, aTaskForEachFile);
    assertFull(full, mounted);
    assertThat(full.stderr()).containsPattern("\\d of 7 files are complete in .*--resume");
    assertThat(out).doesNotExist();
    disk.remount(size(100));
    Cli resumed = Cli.convert(source, out, options, aTaskForEachFile, "--resume").succeeds();
    assertThat(resumed.stderr()).contains("continues the run of");
    assertThat(ConvertTest.digest(out)).isEqualTo(ConvertTest.digest(source));
    assertThat(ConvertTest.files(mounted)).containsExactly("out");
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeAnythingIsWritten() throws Exception {
    mount(2);
    Path out = mounted.resolve("out");
    Cli.convert(source, out, "safetensors").failsWithKind(FileError.NO_SPACE.name(), out);
    assertThat(ConvertTest.files(mounted)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"saev", "safetensors"})
  void theTemporaryFilesOfAShuffleMustFitBesideItsDataFiles(String format) throws Exception {
    Path shuffled = new NaiveActivations(200, List.of(4), 5, 16, true, false).writeSaev(temporary);
    mount(24); // 64,000 bytes of values fit once, but not twice
    Path out = mounted.resolve("out");
    Object[] shuffle = {"shuffle", shuffled, out, "--to=" + format};
    Cli.run(shuffle, "--dry-run")
        .failsWith(FileError.NO_SPACE, out)
        .failsWithText(
            "the data files and the temporary files need 1", " KiB, but 96.0 KiB is free");
    Cli.run(shuffle).failsWith(FileError.NO_SPACE, out);
    assertThat(ConvertTest.files(mounted)).isEmpty();
    Cli.run(shuffle, "--no-space-check", "--dry-run").succeeds();
    Cli.run(shuffle, "--sample=40%").succeeds();
  }

  @ParameterizedTest
  @ValueSource(strings = {"inspect", "digest", "cat --example 0"})
  void commandsThatOnlyReadNeedNoSpaceForTheirData(String command) throws Exception {
    mount(8);
    Path full = mounted.resolve("full");
    Files.write(full, new byte[(int) mounted.toFile().getUsableSpace()]);
    Cli run = Cli.run(command.split(" "), source, "-D", "hadoop.tmp.dir=" + mounted);
    if (run.exitCode() != 0) {
      assertFull(run, mounted);
    }
    assertThat(ConvertTest.files(mounted)).containsExactly("full");
  }

  @Test
  void aDiskWithoutRoomForTheSumsIsNamedByTheirFile() throws Exception {
    mount(8);
    Path sums = mounted.resolve("x.sha256");
    Files.write(mounted.resolve("full"), new byte[(int) mounted.toFile().getUsableSpace()]);
    Cli run = Cli.run("digest", source, "--save=" + sums);
    run.failsWith(FileError.NO_SPACE, sums);
    assertThat(run.stderr()).contains("No space left on device");
    assertThat(ConvertTest.files(mounted)).containsExactly("full");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStorageWithoutRoomForTheSumsIsNamedByTheirFile(boolean atClose) throws IOException {
    Path sums = temporary.resolve("x.sha256");
    String path = FaultyFileSystem.uri(sums);
    FaultyFileSystem.setFree(PLENTY, atClose);
    Cli.run(FaultyFileSystem.limited(), "digest", source, "--save=" + path).succeeds();
    List<String> before = Files.readAllLines(sums);
    FaultyFileSystem.setFree(100, atClose);
    Cli.run(FaultyFileSystem.limited(), "digest", source, "--save=" + path)
        .failsWithText(sums + ": cannot be written: ");
    assertThat(sums).content().isEqualTo(String.join("\n", before) + "\n");
    assertThat(ConvertTest.files(temporary)).containsExactly("x.sha256");
  }

  private static void assertFull(Cli run, Path folder) {
    run.failsWithText(FileError.NO_SPACE, folder.toString());
    assertThat(run.stderr())
        .containsAnyOf("No space left on device", "No space available", "Disk quota exceeded");
  }

  /** Mounts a disk of a few pages; skips the test where that is not allowed. */
  private void mount(int pages) throws IOException, InterruptedException {
    disk = MountedFolder.disk(temporary.resolve("disk"), size(pages));
    mounted = disk.path();
  }

  private static String size(int pages) {
    return "size=" + pages * 4096;
  }

  @AfterEach
  void unmount() throws InterruptedException {
    if (disk != null) {
      disk.unmount();
    }
  }
}
