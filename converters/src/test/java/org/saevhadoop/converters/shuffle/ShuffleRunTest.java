package org.saevhadoop.converters.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.storage.LocalTree;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.shuffle.Shuffle;

/** Runs of a shuffle: plans, refusals, and repetition after a failure. */
@Tag("late")
class ShuffleRunTest extends ConvertedDatasets {
  private static final NaiveActivations NAIVE =
      new NaiveActivations(40, List.of(4), 5, 16, true, false);

  private Path source;
  private Path place;
  private Path out;

  @BeforeEach
  void writeSource() throws IOException {
    source = NAIVE.writeSaev(folder.resolve("source"));
    place = Files.createDirectory(folder.resolve("place"));
    out = place.resolve("out");
  }

  private Cli shuffle(Object... options) {
    return Cli.run(
        "shuffle",
        source,
        out,
        "--to=safetensors",
        "--batch-size=90",
        "-Dmapreduce.input.fileinputformat.split.maxsize=3200",
        options);
  }

  @Test
  void verificationComparesTheRowsWithTheSource() {
    assertThat(shuffle("--verify").succeeds().stderr())
        .contains("shuffle: verified: all rows match the source")
        .contains("shuffle: 200 examples to write, ")
        .doesNotContain("convert: ");
  }

  /** Runs a shuffle whose thread is interrupted when the second pass begins. */
  private Path interrupted() throws IOException {
    Configuration conf = new Configuration();
    conf.set("saev.safetensors.batch.size", "90");
    conf.set("mapreduce.input.fileinputformat.split.maxsize", "3200");
    Conversion conversion = Conversion.of(source.toString(), out.toString(), "safetensors", conf);
    RunListener listener =
        new RunListener() {
          @Override
          public void message(String line) {
            if (line.startsWith("convert: ")) {
              Thread.currentThread().interrupt();
            }
          }
        };
    assertThatThrownBy(() -> Shuffle.of(conversion, 0).run(listener))
        .isInstanceOf(InterruptedException.class);
    try (Stream<Path> folders = Files.list(place)) {
      return folders
          .filter(path -> path.getFileName().toString().startsWith("_out."))
          .findFirst()
          .orElseThrow()
          .resolve("data");
    }
  }

  @Test
  void anInterruptedRunIsContinuedWithTheRowsThatAreThere() throws IOException {
    shuffle().succeeds();
    Path expected = Files.move(out, folder.resolve("expected"));
    Path rows = interrupted();
    List<Path> files;
    try (Stream<Path> list = Files.list(rows)) {
      files =
          list.filter(path -> path.getFileName().toString().startsWith("rows-")).sorted().toList();
    }
    assertThat(files).hasSizeGreaterThan(2);
    Files.delete(files.get(1));
    Cli resumed = shuffle("--resume").succeeds();
    assertThat(resumed.stderr()).contains("shuffle: 2.5 KiB; the rows wait in " + rows);
    assertSameFiles(out, expected);
    assertThat(files(place)).containsExactly("out");
  }

  @Test
  void aRunWithAnotherSeedDoesNotContinueAnother() throws IOException {
    Path rows = interrupted();
    shuffle("--resume", "--seed=1").failsWith(FileError.NOT_RESUMABLE, rows.getParent());
    assertThat(rows).isDirectory();
  }

  @Test
  void withoutTheOptionTheRowsAreRemoved() throws IOException {
    interrupted();
    shuffle().succeeds();
    assertThat(files(place)).containsExactly("out");
  }

  @Test
  void aDatasetIsReplacedOnlyIfThatIsAskedFor() throws IOException {
    shuffle().succeeds();
    String before = digest(out);
    shuffle("--seed=1").failsWith(FileError.ALREADY_EXISTS, out);
    assertThat(digest(out)).isEqualTo(before);
    shuffle("--seed=1", "--overwrite").succeeds();
    assertThat(digest(out)).isNotEqualTo(before);
    assertThat(files(place)).containsExactly("out");
  }

  @Test
  void theFilesAreVerified() throws IOException {
    assertThat(shuffle("--verify").succeeds().stderr()).contains("verif");
    assertThat(files(place)).containsExactly("out");
  }

  @Test
  void aDryRunNamesBothPassesAndWritesNothing() throws IOException {
    String plan = shuffle("--dry-run").succeeds().text();
    assertThat(plan)
        .contains(
            "plan       two passes, ", "reads      25.0 KiB", "writes     3 files, ", "to " + out);
    assertThat(plan.lines().filter(line -> line.startsWith("temporary"))).hasSize(2);
    assertThat(files(place)).isEmpty();
    shuffle().succeeds();
    shuffle("--dry-run").failsWith(FileError.ALREADY_EXISTS, out);
  }

  private Path foreign() throws IOException {
    Path foreign = Files.createDirectory(folder.resolve("foreign"));
    Found tensor = Found.of("F32", List.of(40L, 5L, 16L), new byte[40 * 5 * 16 * 4]);
    NaiveTensors.write(foreign.resolve("a.safetensors"), Map.of("layer_4", tensor));
    return foreign;
  }

  @Test
  void aDryRunOfASourceWithoutAHashKnowsSizesButNoHash() throws IOException {
    source = foreign();
    JsonNode plan = shuffle("--dry-run", "--json").json().get("datasets").get(0);
    JsonNode written = shuffle("--json").json().get("datasets").get(0);
    assertThat(plan.get("path")).isEqualTo(written.get("path"));
    assertThat(plan.get("bytes_written")).isEqualTo(written.get("bytes"));
    Object[] saev = {"shuffle", source, folder.resolve("saev"), "--family=f", "--ckpt=c"};
    JsonNode unnamed = Cli.run(saev, "--dry-run", "--json").json().get("datasets").get(0);
    assertThat(unnamed.get("path")).isNull();
    assertThat(unnamed.get("changes").toString()).contains("the source has no hash");
  }

  @Test
  void aSourceWithoutAHashIsNotReadBeforeARefusalAndIsIfARunIsContinued() throws IOException {
    source = foreign();
    assertThat(shuffle().succeeds().stderr()).contains("computing its digest");
    assertThat(shuffle("--seed=1").failsWith(FileError.ALREADY_EXISTS, out).stderr())
        .doesNotContain("computing its digest");
    LocalTree.delete(out);
    Path rows = interrupted();
    assertThat(shuffle("--resume", "--dry-run").succeeds().text()).contains("writes     3 files");
    assertThat(rows).isDirectory();
    shuffle("--resume").succeeds();
    assertThat(files(place)).containsExactly("out");
  }

  @Test
  void aShuffledPickleIsThatOfItsConversion() throws IOException {
    Path pickled = convert(source, "pickled", "pickle");
    Path found =
        Cli.run("shuffle", pickled, out, "--to=safetensors", "--layers=4")
            .succeeds()
            .lastLinePath();
    assertThat(Cli.run("digest", found).succeeds().text())
        .contains("examples=200 layers=4 tokens=1");
    assertThat(files(place)).containsExactly("out");
  }

  @Test
  void aDryRunDoesNotStageAPickle() throws IOException {
    Path scratch = Files.createDirectory(folder.resolve("scratch"));
    FileTime before = FileTime.fromMillis(1_000_000_000_000L);
    source = convert(source, "pickled", "pickle");
    Files.setLastModifiedTime(scratch, before);
    Cli dry = shuffle("--dry-run", "-Dhadoop.tmp.dir=" + scratch).succeeds();
    assertThat(dry.text())
        .contains("plan       staged, 1 task", "writes     files, size unknown until staged")
        .containsPattern("temporary  " + scratch + ": size unknown until staged, .* free");
    assertThat(dry.stderr()).doesNotContain("unpack");
    assertThat(Files.getLastModifiedTime(scratch)).isEqualTo(before);
    assertThat(files(place)).isEmpty();
  }

  @Test
  void aResumedRunOfSeveralLayersKeepsThoseThatAreWritten() throws IOException {
    source = new NaiveActivations(9, List.of(4, 9), 5, 16, true, false).writeSaev(folder);
    shuffle().succeeds();
    String first = digest(out.resolve("layer_4"));
    LocalTree.delete(out.resolve("layer_9"));
    shuffle().failsWith(FileError.ALREADY_EXISTS, out.resolve("layer_4"));
    Cli resumed = shuffle("--resume").succeeds();
    assertThat(resumed.stderr()).contains("was published before");
    assertThat(files(out)).containsExactly("layer_4", "layer_9");
    assertThat(digest(out.resolve("layer_4"))).isEqualTo(first);
  }

  @Test
  void anExistingLastLayerIsFoundBeforeTheFirstIsWritten() throws IOException {
    source = new NaiveActivations(9, List.of(4, 9), 5, 16, true, false).writeSaev(folder);
    Files.createDirectories(out.resolve("layer_9/something"));
    shuffle().failsWith(FileError.ALREADY_EXISTS, out.resolve("layer_9"));
    assertThat(files(out)).containsExactly("layer_9");
  }
}
