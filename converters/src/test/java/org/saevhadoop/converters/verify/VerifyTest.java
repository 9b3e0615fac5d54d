package org.saevhadoop.converters.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.verify.Finding;
import org.saevhadoop.jobs.verify.Severity;
import org.saevhadoop.jobs.verify.Verification;
import org.saevhadoop.jobs.verify.Verification.Scope;
import org.saevhadoop.jobs.verify.VerifiedDataset;
import org.saevhadoop.jobs.verify.VerifiedDataset.KindCount;
import org.saevhadoop.jobs.verify.VerifiedDataset.VerifiedColumn;

class VerifyTest extends ConvertedDatasets {
  private static final String MAX_SPLIT = "mapreduce.input.fileinputformat.split.maxsize";
  private static final int BLOCK_BYTES = 10 * 16 * Float.BYTES;

  /** Returns a copy of the fixture with many duplicates, and values that are not finite. */
  private Path damaged() throws IOException {
    Path copy = Fixtures.copy(Fixtures.SMALL, folder);
    for (int shard = 0; shard < 3; shard++) {
      Path file = copy.resolve("acts%06d.bin".formatted(shard));
      byte[] bytes = Files.readAllBytes(file);
      System.arraycopy(bytes, BLOCK_BYTES, bytes, 4 * BLOCK_BYTES, BLOCK_BYTES);
      ByteBuffer values = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      for (int token = 0; token < 9; token++) {
        values.putFloat(2 * BLOCK_BYTES + token * 64 + 4 * shard, Float.NaN);
        values.putFloat(5 * BLOCK_BYTES + token * 64 + 20, Float.POSITIVE_INFINITY);
      }
      Files.write(file, bytes);
    }
    return copy;
  }

  private static VerifiedDataset verify(Path path, Scope scope, int splits) throws Exception {
    Configuration conf = new Configuration();
    conf.setLong(MAX_SPLIT, Math.max(1, 7 * 3 * BLOCK_BYTES / splits));
    return new Verification(path.toString(), scope, conf).run(RunListener.NONE);
  }

  @ParameterizedTest
  @EnumSource(names = {"CONTENT", "DUPLICATES"})
  void theResultIsTheSameForAnyNumberOfSplits(Scope scope) throws Exception {
    Path path = damaged();
    VerifiedDataset one = verify(path, Scope.CONTENT, 1);
    assertThat(verify(path, scope, 7)).isEqualTo(one);
    assertThat(verify(path, scope, 100)).isEqualTo(one);
    assertThat(one.layers().stream().map(VerifiedColumn::counts))
        .containsExactly(
            List.of(),
            List.of(new KindCount("DUPLICATE_VECTOR", 30)),
            List.of(new KindCount("INFINITE", 27), new KindCount("NAN", 27)));
    assertThat(one.notListed())
        .containsExactly(
            new KindCount("DUPLICATE_VECTOR", 10),
            new KindCount("INFINITE", 7),
            new KindCount("NAN", 7));
    Finding first = one.findings().get(0);
    assertThat(first.kind()).isEqualTo("NAN");
    assertThat(List.of(first.example(), first.token())).containsExactly(0L, 0L);
    assertThat(first.where()).isEqualTo("at example 0, layer 23, token 0, dim 0");
    Finding duplicate = one.findings().get(40);
    assertThat(duplicate.problem()).isEqualTo("repeats the vector of example 0, token 0");
    assertThat(duplicate.where()).isEqualTo("at example 1, layer 21, token 0");
    assertThat(duplicate.severity()).isEqualTo(Severity.WARNING);
  }

  @Test
  void coordinatesAreThoseOfTheStoredDataset() throws IOException {
    Path path = damaged();
    JsonNode found =
        Cli.run("verify", path, "--json", "--examples", "4:", "--layers", "23,21", "--tokens", "7:")
            .json();
    JsonNode first = found.get("findings").get(0);
    assertThat(first.get("path").asText()).endsWith("acts000002.bin");
    assertThat(first.get("where").asText()).isEqualTo("at example 4, layer 23, token 7, dim 2");
    assertThat(found.get("checked").get("vectors").asInt()).isEqualTo(3 * 2 * 3);
    assertThat(found.get("findings").findValuesAsText("token")).doesNotContain("0", "6");
  }

  @Test
  void atMostAThousandFindingsAreListedAndTheOthersAreCounted() throws IOException {
    List<Integer> layers = IntStream.range(0, 60).boxed().toList();
    Path path = new NaiveActivations(5, layers, 5, 4, false, false).writeSaev(folder);
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.filter(name -> name.toString().endsWith(".bin")).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, (byte) 0xff);
        Files.write(file, bytes);
      }
    }
    JsonNode found = Cli.run("verify", path, "--json").json();
    assertThat(found.get("findings")).hasSize(1000);
    assertThat(found.get("not_listed").get(0).get("count").asInt()).isEqualTo(5 * 5 * 60 - 1000);
    assertThat(found.get("layers").get(59).get("counts").get(0).get("count").asInt()).isEqualTo(25);
  }

  @Test
  void warningsEndWithExitCode1OnlyWhereTheyAreAskedFor() throws IOException {
    Path path = Fixtures.copy(Fixtures.SMALL, folder);
    byte[] bytes = Files.readAllBytes(path.resolve("acts000000.bin"));
    System.arraycopy(bytes, 0, bytes, 64, 64);
    Files.write(path.resolve("acts000000.bin"), bytes);
    Cli cli = Cli.run("verify", path).succeeds();
    assertThat(cli.text())
        .contains("warning DUPLICATE_VECTOR " + path)
        .contains(": repeats the vector of example 0, token 0, at example 0, layer 13, token 1\n")
        .endsWith(
            "checked: 6 files, 15.6 KiB, 210 vectors; no sums are recorded, so flipped bits may not"
                + " be found\n");
    assertThat(Cli.run("verify", path, "--fail-on", "warning").exitCode()).isEqualTo(1);
    JsonNode json = Cli.run("verify", path, "--fail-on", "warning", "--json").json();
    assertThat(json.get("ok").asBoolean()).isFalse();
    Cli.run("verify", path, "--fail-on", "info").failsAsUsage("--fail-on");
  }

  @Test
  void whatCannotBeCheckedEndsWithExitCode3() {
    Cli missing = Cli.run("verify", folder.resolve("none"), "--json");
    assertThat(missing.exitCode()).isEqualTo(3);
    assertThat(missing.text()).contains("\"NOT_FOUND\"").contains("\"exit\":3");
    assertThat(Cli.run("verify", folder).exitCode()).isEqualTo(3);
    Cli layer = Cli.run("verify", Fixtures.small(), "--layers", "4");
    assertThat(layer.exitCode()).isEqualTo(3);
    assertThat(layer.stderr()).contains("layer 4 was not recorded");
    Cli.run("verify", Fixtures.small(), "--structure", "--duplicates").failsAsUsage("--duplicates");
  }

  @Test
  void theStructureAloneIsChecked() throws IOException {
    Path path = damaged();
    Files.write(path.resolve("acts000009.bin"), new byte[4]);
    JsonNode found = Cli.run("verify", path, "--structure", "--json").json();
    assertThat(found.get("findings").findValuesAsText("kind")).containsExactly("ORPHAN_FILE");
    assertThat(found.get("checked").get("vectors").asInt()).isZero();
    Cli.run("verify", Fixtures.small(), "--structure").succeeds();
  }

  @Test
  void examplesOfDifferentLengthsAreCheckedTokenByToken() throws IOException {
    JsonNode found = Cli.run("verify", Fixtures.pickle("ragged"), "--json").succeeds().json();
    assertThat(found.get("findings").findValuesAsText("kind")).containsExactly("RAGGED");
    assertThat(found.get("checked").get("vectors").asInt()).isPositive();
    Cli chosen = Cli.run("verify", Fixtures.pickle("ragged"), "--ragged", "pad:9").succeeds();
    assertThat(chosen.text()).startsWith("no problem found: ");
  }

  @Test
  void sumsThatAreNotRecordedAreNamedOnTheLastLine() throws IOException {
    Path path = Fixtures.copy(Fixtures.SMALL, folder);
    String missing = "; no sums are recorded, so flipped bits may not be found";
    assertThat(Cli.run("verify", path).succeeds().lastLine()).contains(missing);
    assertThat(sums(Cli.run("verify", path, "--json"))).isFalse();
    for (String options : List.of("--structure", "--limit=2")) {
      assertThat(Cli.run("verify", path, options).succeeds().lastLine()).doesNotContain(missing);
      assertThat(sums(Cli.run("verify", path, options, "--json"))).isFalse();
    }
    Cli.run("digest", path, "--save").succeeds();
    assertThat(Cli.run("verify", path).succeeds().lastLine()).doesNotContain(missing);
    assertThat(sums(Cli.run("verify", path, "--json"))).isTrue();
    Cli both = Cli.run("verify", path, "--with", Fixtures.small()).succeeds();
    assertThat(both.lastLine()).contains(missing);
  }

  private static boolean sums(Cli run) throws IOException {
    return run.succeeds().json().get("checked").get("sums").asBoolean();
  }

  @Test
  void aSumsFileThatIsNoneIsAFinding() throws IOException {
    Path path = Fixtures.copy(Fixtures.SMALL, folder);
    Files.writeString(folder.resolve(path.getFileName() + ".sha256"), "nothing\n");
    JsonNode found = Cli.run("verify", path, "--json").json();
    assertThat(found.get("findings").findValuesAsText("kind")).containsExactly("BAD_SUMS");
    assertThat(Cli.run("verify", path).text()).doesNotContain("no sums");
    Cli.run("verify", path, "--limit", "2").succeeds(); // sums are those of whole files
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3000, 3839})
  void aChecksumErrorOfTheStorageIsAFindingAndOtherFilesAreChecked(int position) throws Exception {
    Path path = damaged();
    Configuration conf = BrokenFileSystem.conf("acts000001.bin", position);
    VerifiedDataset found = Verification.of("broken:" + path, conf).run(RunListener.NONE);
    Finding error =
        found.findings().stream().filter(f -> f.kind().equals("STORED_CHECKSUM")).findFirst().get();
    assertThat(error.path()).endsWith("acts000001.bin");
    assertThat(error.where()).isEqualTo("at byte " + position);
    int lost = position == 0 ? 2 : 1; // the damaged block, and those of its layer after it
    assertThat(found.checked().vectors()).isEqualTo(10L * (21 - lost));
    assertThat(found.layers().get(2).counts())
        .anyMatch(some -> some.kind().equals("INFINITE") && some.count() >= 18);
  }

  @Test
  void aDatasetWithoutHeaderIsAFinding() throws IOException {
    Path file = folder.resolve("x.safetensors");
    Files.write(file, "{\"a\":1}          ".getBytes(StandardCharsets.US_ASCII));
    Cli cli = Cli.run("verify", file, "--json");
    assertThat(cli.exitCode()).as(cli.text() + cli.stderr()).isEqualTo(1);
  }
}
