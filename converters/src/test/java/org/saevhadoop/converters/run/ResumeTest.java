package org.saevhadoop.converters.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.storage.SparseDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.storage.LocalTree;

/** {@code convert --resume} after a run that was killed when some of its files were complete. */
@Tag("late")
class ResumeTest {
  private static final Geometry GEOMETRY = new Geometry(24, List.of(1, 2), 65, 256);

  /** Long ago, so that a file that is written again has another time. */
  private static final FileTime OLD = FileTime.fromMillis(1_000_000_000_000L);

  @TempDir Path temporary;
  private Path source;
  private Path place;
  private Path out;

  @BeforeEach
  void createSource() throws IOException {
    source = SparseDataset.create(temporary.resolve("source"), GEOMETRY, 6);
    place = Files.createDirectory(temporary.resolve("place"));
    out = place.resolve("out");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--to safetensors --batch-size 4",
        "--to safetensors --batch-size 4 --columns layers",
        "--to safetensors --batch-size 4 -Dsaev.convert.plan=shuffle",
        "--to safetensors --batch-size 5 --examples 3:20",
        "--to samediff --max-shard-bytes 600000"
      })
  void onlyFilesThatAreNotCompleteAreWritten(String options) throws Exception {
    Map<String, String> expected = killedAfterSomeFiles(options);
    Cli resumed = convert(options + " --resume").succeeds();
    assertThat(contents(out)).isEqualTo(expected);
    List<String> old = new ArrayList<>();
    for (String name : expected.keySet()) {
      if (Files.getLastModifiedTime(out.resolve(name)).equals(OLD)) {
        old.add(name);
      }
    }
    assertThat(old).isNotEmpty();
    assertThat(resumed.stderr()).containsPattern("continues the run of .*: 2 of \\d+ files");
    assertThat(ConvertTest.files(place)).containsExactly("out");
  }

  @Test
  void withoutTheOptionTheRemainsAreRemovedAndTheUserIsWarned() throws Exception {
    String options = "--to safetensors --batch-size 4";
    Map<String, String> expected = killedAfterSomeFiles(options);
    assertThat(convert(options).succeeds().stderr())
        .contains("removing the 2 complete files of the run of");
    assertThat(contents(out)).isEqualTo(expected);
    assertThat(ConvertTest.files(place)).containsExactly("out");
  }

  @Test
  void otherSettingsAreRefusedAndTheFilesStay() throws Exception {
    killedAfterSomeFiles("--to safetensors --batch-size 4");
    Path folder = KilledRun.folder(out);
    convert("--to safetensors --batch-size 6 --resume").failsWith(FileError.NOT_RESUMABLE, folder);
    assertThat(ConvertTest.files(folder.resolve("data"))).hasSize(2);
  }

  @Test
  void aNormalizationIsContinuedWithTheSameFileOnly() throws Exception {
    Path statistics = temporary.resolve("stats.safetensors");
    Cli.run("stats", source, "--to-safetensors", statistics).succeeds();
    byte[] known = Files.readAllBytes(statistics);
    String options =
        "--to safetensors --batch-size 4 --normalize-by center --normalize " + statistics;
    Map<String, String> expected = killedAfterSomeFiles(options);
    known[known.length - 1] ^= 1; // a count, which is not used
    Files.write(statistics, known);
    convert(options + " --resume").failsWithText(FileError.NOT_RESUMABLE, "normaliz");
    convert("--to safetensors --batch-size 4 --resume")
        .failsWithText(FileError.NOT_RESUMABLE, "expected");
    known[known.length - 1] ^= 1;
    Files.write(statistics, known);
    convert(options + " --resume --verify").succeeds();
    assertThat(contents(out)).isEqualTo(expected);
  }

  @Test
  void settingsThatDoNotChangeWhatIsWrittenMayDiffer() throws Exception {
    Map<String, String> expected = killedAfterSomeFiles("--to safetensors --batch-size 4");
    convert("--to safetensors --batch-size 4 --resume --verify --overwrite --no-fsync").succeeds();
    assertThat(contents(out)).isEqualTo(expected);
  }

  @Test
  void aSizeOfFilesThatIsNotGivenIsThatOfTheInterruptedRun() throws Exception {
    Map<String, String> expected = killedAfterSomeFiles("--to safetensors --batch-size 4");
    assertThat(convert("--to safetensors --resume").succeeds().stderr())
        .contains("2 of 6 files are complete");
    assertThat(contents(out)).isEqualTo(expected);
  }

  @Test
  void theDecisionsOfARunOverSeveralDatasetsAreKept() throws Exception {
    Path other = SparseDataset.create(temporary.resolve("other"), GEOMETRY, 6);
    String several = "--to safetensors --with " + other;
    Map<String, String> expected = killedAfterSomeFiles(several + " --batch-size 4");
    assertThat(convert(several + " --resume").succeeds().stderr())
        .contains("2 of 12 files are complete");
    assertThat(contents(out)).isEqualTo(expected);
  }

  @Test
  void aSourceThatHasChangedIsRefused() throws Exception {
    killedAfterSomeFiles("--to safetensors --batch-size 4");
    Files.setLastModifiedTime(source.resolve("acts000001.bin"), OLD);
    convert("--to safetensors --batch-size 4 --resume")
        .failsWith(FileError.NOT_RESUMABLE, KilledRun.folder(out));
  }

  @Test
  void aRunThatWasKilledBetweenItsCommitAndItsEndIsOver() throws Exception {
    String options = "--to safetensors --batch-size 4";
    Map<String, String> expected = killedAfterSomeFiles(options);
    Path folder = KilledRun.folder(out);
    Path remains = Files.move(folder, temporary.resolve("remains"));
    convert(options).succeeds();
    Files.move(remains, folder);
    Files.createFile(folder.resolve("complete"));
    LocalTree.delete(folder.resolve("data"));
    assertThat(convert(options + " --resume").succeeds().stderr())
        .contains("had published the dataset");
    assertThat(contents(out)).isEqualTo(expected);
    assertThat(ConvertTest.files(place)).containsExactly("out");
  }

  @Test
  void whatOthersHaveWrittenToThePathIsRefusedByADryRunToo() throws Exception {
    String options = "--to safetensors --batch-size 4";
    killedAfterSomeFiles(options);
    Files.createFile(KilledRun.folder(out).resolve("complete"));
    Files.createDirectory(out);
    convert(options + " --resume").failsWith(FileError.ALREADY_EXISTS, out);
    convert(options + " --resume --dry-run").failsWith(FileError.ALREADY_EXISTS, out);
  }

  @Test
  void whereNothingWasBegunEverythingIsWrittenAndTheUserIsWarned() throws Exception {
    assertThat(convert("--to safetensors --resume").succeeds().stderr())
        .contains("no interrupted run was found");
    assertThat(ConvertTest.digest(out)).isEqualTo(ConvertTest.digest(source));
  }

  private Cli convert(String options) {
    return Cli.run("convert", source, out, options.split(" "));
  }

  /**
   * Leaves what a run leaves that was killed when the first two of its files were complete.
   *
   * @return the files of the dataset that it would have written
   */
  private Map<String, String> killedAfterSomeFiles(String options) throws Exception {
    Path folder = KilledRun.folder(out);
    Path record = temporary.resolve("run.json");
    for (int i = 0; i < 20 && !Files.exists(record); i++) { // a busy machine may miss it
      if (Files.exists(out)) {
        LocalTree.delete(out);
      }
      CompletableFuture<Cli> whole = CompletableFuture.supplyAsync(() -> convert(options));
      while (!Files.exists(record) && !whole.isDone()) {
        copyRecord(folder, record);
      }
      whole.join().succeeds();
    }
    assertThat(record).isRegularFile();
    Map<String, String> files = contents(out);
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.copy(record, folder.resolve("run.json"));
    Files.createFile(folder.resolve("lock"));
    int complete = 0;
    for (String name : files.keySet()) {
      if (!name.contains("json") && !name.contains("shard0-of") && complete < 2) {
        Path file = Files.move(out.resolve(name), data.resolve(name));
        Files.setLastModifiedTime(file, OLD);
        complete++;
      }
    }
    assertThat(complete).isEqualTo(2);
    LocalTree.delete(out);
    return files;
  }

  /** Copies the record of a run, if it has one at this moment. */
  private static void copyRecord(Path folder, Path record) throws IOException {
    if (Files.exists(folder.resolve("data"))) { // the record was complete before
      try {
        Files.copy(folder.resolve("run.json"), record);
      } catch (NoSuchFileException e) {
        assertThat(record).as("the run has ended").doesNotExist();
      }
    }
  }

  private static Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (String name : ConvertTest.files(folder)) {
      contents.put(name, hash(folder.resolve(name)));
    }
    return contents;
  }

  private static String hash(Path file) throws IOException {
    CRC32C hash = new CRC32C();
    hash.update(Files.readAllBytes(file));
    return Files.size(file) + " bytes, " + Long.toHexString(hash.getValue());
  }
}
