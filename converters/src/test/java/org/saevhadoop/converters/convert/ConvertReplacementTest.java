package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.safetensors.header.SafetensorsError;

/** What is at the destination of a conversion is kept, or replaced as a whole. */
@Tag("late")
class ConvertReplacementTest extends ConvertedDatasets {
  @Test
  void anExistingDestinationIsKeptWithoutOverwrite() throws IOException {
    Path source = Fixtures.small();
    Path out = convert(source, "out", "safetensors");
    Cli.convert(source, out, "safetensors --columns acts").failsWith(FileError.ALREADY_EXISTS, out);
    assertThat(tensorNames(out)).containsExactly("layer_13", "layer_21", "layer_23");
    Cli.convert(source, out, "safetensors --columns acts --overwrite").succeeds();
    assertThat(tensorNames(out)).containsExactly("acts");
    assertThat(files(folder)).containsExactly("out");

    Path saev = folder.resolve("saev");
    Cli.convert(out, saev, "saev").succeeds();
    Cli.convert(out, saev, "saev")
        .failsWith(FileError.ALREADY_EXISTS, saev.resolve(Fixtures.SMALL));
    Cli.convert(out, saev, "saev --overwrite").succeeds();
    Fixtures.assertSameDataset(saev.resolve(Fixtures.SMALL), source);
  }

  @Test
  void whatIsReplacedIsADatasetAndNeverTheSource() throws IOException {
    Path victim = Files.createDirectories(folder.resolve("victim"));
    Path source = Fixtures.copy(Fixtures.SMALL, Files.createDirectory(victim.resolve("sub")));
    Path thesis = Files.writeString(victim.resolve("thesis.tex"), "years of work");
    Object[] over = {"convert", source, victim, "--to", "safetensors", "--overwrite"};
    Cli.run(over).failsWith(FileError.OVERLAP, victim);
    over[2] = source;
    Cli.run(over).failsWith(FileError.OVERLAP, source);
    over[1] = Fixtures.small();
    over[2] = victim;
    Cli.run(over).failsWith(FileError.NOT_REPLACEABLE, victim);
    over[2] = thesis;
    Cli.run(over).failsWith(FileError.NOT_REPLACEABLE, thesis);
    Files.writeString(victim.resolve("dataset_manifest.json"), "{}");
    Cli.run(over).failsWith(FileError.OVERLAP, victim);
    over[2] = victim;
    Cli.run(over).failsWith(FileError.NOT_REPLACEABLE, victim);
    assertThat(thesis).hasContent("years of work");
    assertThat(digest(source)).isEqualTo(digest(Fixtures.small()));
  }

  @Test
  void aFailedReplacementLeavesTheOldDataset() throws IOException {
    Path out = convert(Fixtures.small(), "out", "safetensors");
    Path first = convert(out, "saev", "saev");
    String before = digest(out);
    // found only when it is read: the manifest, which is all that planning reads, agrees with it
    Path broken = convert(first, "broken", "safetensors --batch-size 3");
    Path last = broken.resolve(files(broken).get(3));
    breakHeader(last);
    Cli.convert(broken, out, "safetensors --overwrite")
        .failsWith(SafetensorsError.InvalidHeaderDeserialization, last);
    assertThat(digest(out)).isEqualTo(before);
    assertThat(files(folder)).containsExactly("broken", "out", "saev");
  }

  @Test
  void leftoversOfAKilledRunAreRemovedAndAnInterruptedReplacementIsUndone() throws IOException {
    Path source = Fixtures.small();
    Path out = folder.resolve("out");
    Path dead = KilledRun.of(out);
    Files.write(
        Files.createDirectories(dead.resolve("data/_temporary/0")).resolve("a"), new byte[5]);
    Cli.convert(source, out, "safetensors").succeeds();
    assertThat(files(folder)).containsExactly("out");

    // killed between the two renames: the old one waits aside, nothing is in its place
    dead = KilledRun.of(out);
    Files.createDirectory(dead.resolve("data"));
    Files.move(out, dead.resolve("replaced"));
    Cli.convert(source, out, "safetensors").failsWith(FileError.ALREADY_EXISTS, "out");
    assertThat(files(folder)).containsExactly("out");
    assertThat(digest(out)).isEqualTo(digest(source));

    // killed after them: the new one is in its place, the old one was not removed yet
    dead = KilledRun.of(out);
    Fixtures.copy(Fixtures.SMALL, dead.resolve("replaced"));
    Cli.convert(source, out, "safetensors --overwrite").succeeds();
    assertThat(files(folder)).containsExactly("out");
  }

  @Test
  void aDatasetThatWaitsAsideIsKeptWhileSomethingElseIsAtItsPath() throws IOException {
    Path source = Fixtures.small();
    Path out = folder.resolve("out");
    Path dead = KilledRun.of(out);
    Files.createDirectory(dead.resolve("data"));
    Path old = Fixtures.copy(Fixtures.SMALL, dead.resolve("replaced"));
    Path other = Files.writeString(Files.createDirectory(out).resolve("notes"), "of mine");
    Cli.convert(source, out, "safetensors --overwrite")
        .failsWith(FileError.NOT_REPLACEABLE, dead.resolve("replaced"));
    assertThat(other).hasContent("of mine");
    assertThat(digest(old)).isEqualTo(digest(source));
  }

  @ParameterizedTest
  @CsvSource({
    "'', the file is damaged, uses no YARN cluster",
    "'{\"job\":', the file is damaged, uses no YARN cluster",
    "'{\"job\": \"job_17_0042\", \"resourceManager\": \"rm:8032\"}', the YARN cluster rm:8032,"
        + " uses no YARN cluster"
  })
  void aRecordedApplicationThatCannotBeAskedForIsNamedByItsFile(
      String document, String what, String why) throws IOException {
    Path out = folder.resolve("out");
    Path job = KilledRun.of(out).resolve("application_17_0042.json");
    Files.writeString(job, document);
    for (String options : List.of("", " --resume", " --dry-run")) {
      Cli.convert(Fixtures.small(), out, "safetensors" + options)
          .failsWith(FileError.IN_USE, job)
          .failsWithText(what, why, "delete the file");
    }
    Files.delete(job);
    Cli.convert(Fixtures.small(), out, "safetensors").succeeds();
  }

  @ParameterizedTest
  @ValueSource(strings = {"_out.unfinished", "_out.replaced", "_out.saev-hadoop"})
  void foldersOfAUserAreNotTakenForLeftovers(String name) throws IOException {
    Path foreign = Files.createDirectories(folder.resolve(name));
    Path thesis = Files.writeString(foreign.resolve("thesis.tex"), "years of work");
    Path out = folder.resolve("out");
    Cli run = Cli.convert(Fixtures.small(), out, "safetensors");
    if (name.endsWith(".saev-hadoop")) {
      run.failsWith(FileError.NOT_REPLACEABLE, foreign);
      assertThat(files(folder)).containsExactly(name);
    } else {
      run.succeeds();
    }
    assertThat(files(foreign)).containsExactly("thesis.tex");
    assertThat(thesis).hasContent("years of work");
  }
}
