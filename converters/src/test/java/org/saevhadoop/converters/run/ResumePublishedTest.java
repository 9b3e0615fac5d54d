package org.saevhadoop.converters.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.storage.LocalTree;
import org.saevhadoop.testing.Programs;

/** {@code convert --resume} of a dataset that is at its path already. */
@Tag("late")
class ResumePublishedTest {
  private static final FileTime OLD = FileTime.fromMillis(1_000_000_000_000L);

  @TempDir Path temporary;
  private Path place;
  private Path out;

  @BeforeEach
  void createFolder() throws IOException {
    place = Files.createDirectory(temporary.toRealPath().resolve("place"));
    out = place.resolve("out");
  }

  @Test
  void whatNoInterruptedRunHasLeftIsNotReplaced() throws IOException {
    for (Path source : new Path[] {Fixtures.small(), Fixtures.pickle("spec")}) {
      Object[] convert = {"convert", source, out, "--to", "safetensors", "--resume"};
      Cli.run(convert).succeeds();
      Cli again = Cli.run(convert).failsWith(FileError.ALREADY_EXISTS, out);
      assertThat(again.stderr())
          .contains(
              "already exists, and no interrupted run is left to continue: a dataset that a run has"
                  + " published is complete (expected --overwrite, which writes it again)")
          .doesNotContain("unpack: ");
      Cli.run(convert, "--overwrite").succeeds();
      assertThat(ConvertTest.files(place)).containsExactly("out");
      LocalTree.delete(out);
    }
  }

  @Test
  void aStreamWhoseRunHadPublishedItsDatasetIsDone() throws Exception {
    Programs.require("strace", "-V");
    Object[] convert = {"convert", Fixtures.pickle("spec"), out, "--to", "safetensors"};
    RecordedRun run = RecordedRun.of(place, convert);
    String digest = ConvertTest.digest(out);
    run.restore(run.first("rename", KilledRun.folder(out).resolve("data")) + 1);
    assertThat(KilledRun.folder(out).resolve("complete")).exists();
    assertThat(out).exists();
    Cli resumed = Cli.run(convert, "--resume").succeeds();
    assertThat(resumed.stderr()).contains("the interrupted run had published the dataset");
    assertThat(ConvertTest.digest(out)).isEqualTo(digest);
    assertThat(ConvertTest.files(place)).containsExactly("out");
  }

  @Test
  void aSaevDatasetWithTheHashOfTheConversionIsDone() throws IOException {
    Path written = convertToSaev("--resume").succeeds().lastLinePath();
    Path shard = Files.setLastModifiedTime(written.resolve("acts000000.bin"), OLD);
    for (String more : new String[] {"--resume", "--resume --verify", "--resume --json"}) {
      Cli again = convertToSaev(more).succeeds();
      assertThat(again.stderr()).contains("the dataset was published before");
      assertThat(again.text()).contains(written.toString());
    }
    assertThat(Files.getLastModifiedTime(shard)).isEqualTo(OLD);
    assertThat(ConvertTest.files(written.getParent()))
        .containsExactly(written.getFileName().toString());
    convertToSaev("").failsWith(FileError.ALREADY_EXISTS, written);
    convertToSaev("--resume --overwrite").succeeds();
    assertThat(Files.getLastModifiedTime(shard)).isNotEqualTo(OLD);
  }

  @Test
  void theRemainsOfADeadRunAreRemovedBesideASaevDatasetThatIsThere() throws Exception {
    Programs.require("strace", "-V");
    Object[] convert = {"convert", source(), out, "--to", "saev"};
    RecordedRun run = RecordedRun.of(place, convert);
    Path written = Cli.convert(source(), temporary.resolve("o2"), "saev").lastLinePath();
    Path published = out.resolve(temporary.resolve("o2").relativize(written));
    Path folder = KilledRun.folder(published);
    run.restore(run.first("rename", folder.resolve("data")));
    Files.delete(folder.resolve("complete"));
    Files.move(written, published);
    convertToSaev("--resume").succeeds();
    assertThat(folder).doesNotExist();
    assertThat(published).exists();
  }

  @Test
  void aSaevDatasetThatWasEditedOrDamagedIsNot() throws IOException {
    Path written = convertToSaev("").succeeds().lastLinePath();
    Path metadata = written.resolve("metadata.json");
    String text = Files.readString(metadata);
    Files.writeString(metadata, text.replaceFirst("clip", "clop"));
    convertToSaev("--resume").failsWith(FileError.ALREADY_EXISTS, written);
    Files.writeString(metadata, text);
    Path shard = written.resolve("acts000000.bin");
    byte[] whole = Files.readAllBytes(shard);
    Files.write(shard, Arrays.copyOf(whole, whole.length - 1));
    convertToSaev("--resume").failsWith(FileError.ALREADY_EXISTS, written);
    Files.write(shard, whole);
    convertToSaev("--resume").succeeds();
  }

  private static Path source() {
    return Fixtures.small();
  }

  private Cli convertToSaev(String options) {
    return Cli.convert(source(), out, "saev " + options);
  }
}
