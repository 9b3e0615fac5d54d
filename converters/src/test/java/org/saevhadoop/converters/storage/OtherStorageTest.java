package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.mapreduce.FaultyFileSystem;

/** Storages that have neither the locks of an operating system nor the leases of HDFS. */
@Tag("late")
@ResourceLock(FaultyFileSystem.SCHEME)
class OtherStorageTest {
  @TempDir Path folder;

  @Test
  void theFolderOfAKilledRunIsTakenForThatOfALivingOneUntilItsLockIsVoid() throws IOException {
    Path out = folder.resolve("out");
    Path dead = KilledRun.of(out);
    Path part =
        Files.write(Files.createDirectory(dead.resolve("data")).resolve("part"), new byte[9]);
    String text = "the lock of a killed process ends after 62 s";
    replace(out).failsWithText(FileError.IN_USE, dead.toString(), text);
    assertThat(part).exists();
    Files.setLastModifiedTime(
        dead.resolve("lock"), FileTime.from(Instant.now().minus(2, ChronoUnit.MINUTES)));
    for (int run = 0; run < 2; run++) {
      replace(out).succeeds();
      assertThat(ConvertTest.files(folder)).containsExactly("out");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--to=safetensors",
        "--to=saev --family=clip --ckpt=x",
        "--to=pickle",
        "--to=samediff",
        "--to=samediff --container=sdz"
      })
  void noReaderAcceptsADatasetThatIsNotPublishedYet(String options) throws IOException {
    Configuration conf = FaultyFileSystem.conf();
    Path source = Fixtures.small();
    Object[] convert = {
      "convert", source, FaultyFileSystem.uri(folder.resolve("out")), options.split(" ")
    };
    String written = Cli.run(conf, convert).succeeds().lastLine();
    Path marker = Path.of(URI.create(written).getPath()).resolve("_saev-hadoop-unfinished");
    Files.writeString(marker, "{\"run\": \"7\"}");
    for (String command : new String[] {"inspect", "digest", "list", "cat --example=0"}) {
      Cli.run(conf, command.split(" "), written)
          .failsWithText(FileError.UNFINISHED, "is being written by run 7");
    }
    Cli.run(conf, "convert", written, folder.resolve("back"), "--to", "samediff")
        .failsWithText(FileError.UNFINISHED, "is being written by run 7");
    Files.delete(marker);
    Cli.run(conf, "inspect", written).succeeds();
  }

  @Test
  void theDigestOfWhatIsWrittenInPlaceIsComputedBeforeItIsPublished() throws IOException {
    Configuration conf = FaultyFileSystem.conf();
    Path shards = Fixtures.pickle("ragged");
    String out = FaultyFileSystem.uri(folder.resolve("out"));
    for (String to : new String[] {"pickle", "safetensors"}) {
      Object[] convert = {"convert", shards, out + to, "--ragged=pad:9", "--digest", "--to", to};
      Cli padded = Cli.run(conf, convert);
      if (to.equals("pickle")) {
        padded.failsWithText("have different lengths");
        assertThat(padded.stderr()).contains("/outpickle is not published");
      } else {
        assertThat(padded.succeeds().text()).contains("examples=12 ", "tokens=9 ");
      }
    }
    assertThat(ConvertTest.files(folder)).containsExactly("outsafetensors");
  }

  @Test
  void theRemainsOfAConversionThatFailsAreRemoved() throws IOException {
    FaultyFileSystem.setFree(10_000, true);
    Configuration conf = FaultyFileSystem.limited();
    Path source = Fixtures.small();
    String out = FaultyFileSystem.uri(folder.resolve("out"));
    Cli.run(conf, "convert", source, out, "--to", "safetensors").failsWithText("quota exceeded");
    assertThat(ConvertTest.files(folder)).isEmpty();
  }

  @Test
  void aWarningReportsThatAReplacementIsACopy() {
    Path out = folder.resolve("out");
    assertThat(replace(out).succeeds().stderr()).doesNotContain("copies files");
    assertThat(replace(out).succeeds().stderr()).contains("copies files to rename them");
  }

  private static Cli replace(Path out) {
    String[] options = {"--to", "safetensors", "--overwrite"};
    return Cli.run(
        FaultyFileSystem.conf(), "convert", Fixtures.small(), FaultyFileSystem.uri(out), options);
  }
}
