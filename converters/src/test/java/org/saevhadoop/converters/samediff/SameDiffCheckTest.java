package org.saevhadoop.converters.samediff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.Deflater;
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

/** {@code verify --structure} of containers: every problem, whatever the order of the files. */
@Tag("late")
class SameDiffCheckTest {
  private static final NaiveActivations VALUES =
      new NaiveActivations(7, List.of(3, 9), 4, 5, true, true);

  @TempDir Path folder;
  private Path source;

  @BeforeEach
  void writeSource() throws IOException {
    source = VALUES.writeSaev(folder.resolve("source"));
  }

  private Path container(String... options) {
    return Cli.run("convert", source, folder.resolve("out"), "--to", "samediff", options)
        .succeeds()
        .lastLinePath();
  }

  private static List<String> problems(Path container) throws IOException {
    Cli check = Cli.run("verify", container, "--structure", "--json");
    JsonNode findings = check.json().get("findings");
    assertThat(findings.findValuesAsText("severity")).allMatch("error"::equals);
    assertThat(check.exitCode()).isEqualTo(findings.isEmpty() ? 0 : 1);
    return findings.findValuesAsText("kind");
  }

  @Test
  void aValueThatChangedInAStoredEntryIsFoundByItsChecksum() throws IOException {
    Path archive = container("--container", "sdz").resolve("activations.sdz");
    assertThat(problems(archive)).isEmpty();
    Fixtures.flip(archive, VALUES.vector(2, 9, 1));
    assertThat(problems(archive)).containsExactly("CRC_MISMATCH");
  }

  @ParameterizedTest
  @ValueSource(ints = {Deflater.BEST_SPEED, Deflater.BEST_COMPRESSION})
  void compressedDataThatChangedIsFound(int level) throws IOException {
    Path archive =
        container("--container=sdz", "--deflate", "--deflate-level=" + level)
            .resolve("activations.sdz");
    Fixtures.flip(archive, (int) Files.size(archive) / 2);
    assertThat(problems(archive)).hasSize(1);
  }

  @Test
  void everyDamagedShardIsNamed() throws IOException {
    Path container = container("--max-shard-bytes", "400");
    List<Path> shards = List.of(shard(container, 1), shard(container, 3));
    for (Path shard : shards) {
      Fixtures.flip(shard, (int) Files.size(shard) - 2); // the end of the entries of the manifest
    }
    assertThat(Cli.problems(container).lines().map(line -> line.replaceAll("error \\w+ |: .*", "")))
        .containsExactly(shards.get(0).toString(), shards.get(1).toString());
  }

  private static Path shard(Path container, int index) throws IOException {
    return ConvertTest.files(container).stream()
        .filter(name -> name.contains("shard" + index + "-") && name.endsWith(".sdnb"))
        .map(container::resolve)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void brokenSampleMetadataIsAProblem() throws IOException {
    Path container = container("--max-shard-bytes", "400");
    for (String name : ConvertTest.files(container)) {
      if (name.endsWith(".examples.jsonl.gz")) {
        Files.write(container.resolve(name), new byte[] {1, 2, 3});
      }
    }
    assertThat(problems(container)).hasSizeGreaterThan(1);
  }
}
