package org.saevhadoop.converters.samediff;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.converters.storage.SparseDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.samediff.container.ContainerError;
import org.saevhadoop.jobs.digest.DigestError;

/** What is refused about SameDiff containers: one line, and nothing is left behind. */
@Tag("late")
class SameDiffRefusalTest {
  private static final int MEBI = 1 << 20;

  @TempDir Path folder;
  private Path out;

  @BeforeEach
  void nameTheDestination() throws IOException {
    out = Files.createDirectory(folder.resolve("place")).resolve("out");
  }

  private Cli convert(Path source, String options) {
    Object words = options.isEmpty() ? List.of() : options.split(" ");
    return Cli.run("convert", source, out, "--to", "samediff", words);
  }

  @Test
  void typesThatSameDiffLacksAreRefused() throws IOException {
    Path file = folder.resolve("x.safetensors");
    NaiveTensors.write(file, Map.of("x", Found.of("F8_E4M3", List.of(2L), (byte) 1, (byte) 2)));
    convert(file, "").failsWith(DatasetError.NOT_CONVERTIBLE, file);
    Cli asked = convert(Fixtures.saev(Fixtures.SMALL), "--dtype F8_E5M2").failsAsUsage();
    assertThat(asked.stderr()).contains("--dtype is F8_E5M2, which samediff cannot hold");
    assertThat(out.getParent()).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    // 11 examples of 1 GiB are more than SameDiff inflates
    "11, 1, 256, --container sdz",
    // no file of 3 GiB is opened, as one SDNB file or as one array of an SDZ file
    "1, 3, 256, ''",
    "1, 1, 768, --container sdz --deflate"
  })
  void whatTheLoadersRefuseIsRefusedBeforeItIsWritten(
      int examples, int layers, int tokens, String options) throws IOException {
    Geometry geometry = new Geometry(examples, List.of(1, 2, 3).subList(0, layers), tokens, MEBI);
    Path source = SparseDataset.create(folder.resolve("source"), geometry, 1);
    convert(source, options).failsWith(DatasetError.TOO_LARGE, out);
    assertThat(out.getParent()).isEmptyDirectory();
  }

  @Test
  void moreEntriesThanTheLoaderAcceptsAreRefused() throws IOException {
    Path source =
        new NaiveActivations(501, List.of(1, 2), 1, 1, false, false)
            .writeSaev(folder.resolve("source"));
    convert(source, "--container sdz --max-shard-bytes 1").failsWith(DatasetError.TOO_LARGE, out);
    assertThat(out.getParent()).isEmptyDirectory();
    convert(source, "--container sdz --max-shard-bytes 12").succeeds();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--deflate",
        "--deflate --container sdnb",
        "--deflate-level 3",
        "--deflate-level 3 --container sdz",
        "--container sdz --deflate --deflate-level 0",
        "--container zip",
        "--container-name a.b",
        "--container-name=",
        "--container-name ../x",
        "--max-shard-bytes 0",
        "--max-shard-bytes 2147483647",
        "--creation-time yesterday",
        "-Dsaev.output.samediff.deflate=ture"
      })
  void wrongOptionsAreErrorsOfTheCommandLine(String options) {
    convert(Fixtures.saev(Fixtures.SMALL), options).failsAsUsage();
    assertThat(out.getParent()).isEmptyDirectory();
  }

  @Test
  void optionsOfContainersHaveNoEffectOnOtherFormats() {
    String[] options = "--to safetensors --container sdz --deflate".split(" ");
    Cli cli = Cli.run("convert", Fixtures.saev(Fixtures.SMALL), out, options);
    assertThat(cli.succeeds().stderr())
        .contains(
            "warning: --container has no effect with --to safetensors",
            "warning: --deflate has no effect with --to safetensors");
  }

  @Test
  void staleShardsBesideASingleFileAreRefusedByEveryCommand() throws IOException {
    Path source = Fixtures.saev(Fixtures.SMALL);
    convert(source, "").succeeds();
    Path shards = folder.resolve("shards");
    Cli.run("convert", source, shards, "--to", "samediff", "--max-shard-bytes", 6000).succeeds();
    Path stale = shards.resolve("activations.shard1-of-4.sdnb");
    Files.copy(stale, out.resolve(stale.getFileName()));
    Path single = out.resolve("activations.sdnb");
    for (Object path : List.of(out, single)) {
      for (String command : List.of("inspect", "digest", "list", "cat --example=0")) {
        Cli.run(command.split(" "), path).failsWithKind(ContainerError.STALE_SHARDS.name(), out);
      }
    }
    assertThat(Cli.problems(out))
        .startsWith(
            "error STALE_SHARDS %s: is next to shards with the same base name, %s"
                .formatted(single, stale.getFileName()))
        .hasLineCount(1);
  }

  @Test
  void aMissingShardIsNamed() throws IOException {
    convert(Fixtures.saev(Fixtures.SMALL), "--max-shard-bytes 6000").succeeds();
    Path missing = out.resolve("activations.shard2-of-4.sdnb");
    Files.delete(missing);
    Cli.run("digest", out).failsWith(ContainerError.MISSING_SHARD, missing);
    Path graph = out.resolve("activations.shard0-of-4.sdnb");
    Cli.run("inspect", graph).failsWithText("lacks " + missing.getFileName());
    assertThat(Cli.problems(out)).contains("lacks " + missing.getFileName()).hasLineCount(1);
  }

  @Test
  void ofTwoContainersInAFolderOneMustBeNamed() throws IOException {
    Path source = Fixtures.saev(Fixtures.SMALL);
    convert(source, "").succeeds();
    Path other = folder.resolve("other");
    Cli.run("convert", source, other, "--to", "samediff", "--container=sdz", "--limit=3")
        .succeeds();
    Files.move(other.resolve("activations.sdz"), out.resolve("activations.sdz"));
    Cli.run("digest", out).failsWith(ContainerError.AMBIGUOUS_FILES, out);
    assertThat(Cli.run("digest", out.resolve("activations.sdnb")).succeeds().lastLine())
        .isEqualTo(Cli.run("digest", source).lastLine());
    assertThat(Cli.run("digest", out.resolve("activations.sdz")).succeeds().lastLine())
        .isEqualTo(Cli.run("digest", source, "--limit=3").lastLine());
  }

  @Test
  void aContainerIsReplacedByAnotherAndOnlyIfNothingElseIsInItsFolder() throws IOException {
    Path source =
        new NaiveActivations(5, List.of(3), 2, 3, true, true).writeSaev(folder.resolve("source"));
    convert(source, "--max-shard-bytes 30").succeeds();
    assertThat(ConvertTest.files(out)).hasSizeGreaterThan(5);
    convert(source, "").failsWith(FileError.ALREADY_EXISTS, out);
    convert(source, "--overwrite --container sdz").succeeds();
    assertThat(ConvertTest.files(out))
        .containsExactly("activations.examples.jsonl.gz", "activations.sdz");
    Path thesis = Files.writeString(out.resolve("thesis.tex"), "years of work");
    convert(source, "--overwrite").failsWith(FileError.NOT_REPLACEABLE, thesis);
    assertThat(thesis).hasContent("years of work");
    assertThat(ConvertTest.digest(out)).isEqualTo(ConvertTest.digest(source));
    assertThat(ConvertTest.files(out.getParent())).containsExactly("out");
  }

  @Test
  void savedSumsNameEveryFileOfAContainer() throws IOException {
    Path source =
        new NaiveActivations(5, List.of(3), 2, 3, true, true).writeSaev(folder.resolve("source"));
    convert(source, "--max-shard-bytes 100").succeeds();
    Path sums = folder.resolve("sums");
    Cli.run("digest", out, "--save=" + sums).succeeds();
    assertThat(Files.readAllLines(sums)).hasSize(1 + ConvertTest.files(out).size());
    Cli.run("digest", out, "--expect", sums).succeeds();
    Path graph = out.resolve("activations.shard0-of-3.sdnb");
    Fixtures.flip(graph, 5); // the version, which no reader looks at
    Cli.run("digest", out, "--expect", sums).failsWithKind(DigestError.DIFFERENT_SUM.name(), graph);
  }
}
