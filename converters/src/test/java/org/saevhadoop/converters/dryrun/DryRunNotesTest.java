package org.saevhadoop.converters.dryrun;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.run.KilledRun;

/** What a dry run reports as lost or changed, and how it is printed. */
class DryRunNotesTest {
  @TempDir static Path sources;
  @TempDir Path folder;

  @BeforeAll
  static void createSources() throws IOException {
    Path saev = new NaiveActivations(5, List.of(3, 7), 4, 3, true, true).writeSaev(sources);
    Files.move(saev, sources.resolve("saev"));
    convert(sources.resolve("saev"), "bf16", "safetensors --dtype bf16");
    convert(Fixtures.pickle("spec"), "spec", "safetensors");
    convert(Fixtures.pickle("spec"), "kv", "safetensors --kv");
  }

  private static void convert(Path source, String name, String options) {
    Cli.convert(source, sources.resolve(name), options).succeeds();
  }

  private JsonNode plan(String source, String options) throws IOException {
    return Cli.convert(
            sources.resolve(source), folder.resolve("out"), options, "--dry-run", "--json")
        .succeeds()
        .json();
  }

  private static List<String> texts(JsonNode plan, String key) {
    List<String> texts = new ArrayList<>();
    plan.get(key).forEach(text -> texts.add(text.textValue()));
    return texts;
  }

  @ParameterizedTest
  @CsvSource({
    "saev, pickle, losses, the labels are left out (format pickle has none)",
    "saev, safetensors --batch-size 3 --tail drop, losses, the last 2 examples are left out (--tail"
        + " drop)",
    "saev, safetensors --batch-size 3 --tail pad, changes, 1 example is added as zeros (--tail pad)",
    "spec, npy --no-sample-metadata, losses, the sample metadata is left out (--no-sample-metadata)",
    "bf16, npy --dtype stored, changes, 'numpy has no BF16: it loads such arrays as V2 (use"
        + " .view(ml_dtypes.bfloat16), or write --dtype F32)'",
    "spec, saev --family unknown --ckpt unknown, changes, ''"
  })
  void aRunWarnsOfWhatADryRunLists(String source, String options, String list, String line)
      throws IOException {
    JsonNode plan = plan(source, options);
    Cli run = Cli.convert(sources.resolve(source), folder.resolve("out"), options).succeeds();
    if (!line.isEmpty()) {
      assertThat(texts(plan, list)).contains(line);
      assertThat(run.stderr()).contains("warning: " + line);
    }
    List<String> warned =
        run.stderr()
            .lines()
            .filter(l -> l.startsWith("warning: "))
            .filter(l -> !l.contains("labels.bin is present") && !l.contains("not named by"))
            .toList();
    List<String> listed = new ArrayList<>(texts(plan, "losses"));
    listed.addAll(texts(plan, "changes"));
    listed.removeIf(l -> l.matches("values of .*|blocks are .*|source .*|the last file .*"));
    assertThat(warned)
        .containsExactlyInAnyOrderElementsOf(listed.stream().map(l -> "warning: " + l).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "saev, npy --dtype bf16, losses, 'values of float32 become bfloat16, which does not represent all"
        + " of them'",
    "saev, npy --dtype bf16, changes, 'source 480 B of float32, target 240 B of bfloat16'",
    "saev, npy --dtype f64, changes, values of float32 become float64",
    "bf16, saev, changes, values of bfloat16 become float32",
    "bf16, saev --tail exact, changes, 'source 240 B of bfloat16, target 480 B of float32'",
    "saev, safetensors --columns layers, changes, 'blocks are stored layer by layer, and no longer"
        + " example by example'",
    "spec, saev --family a --ckpt b, changes, 'blocks are stored example by example, and no longer"
        + " layer by layer'"
  })
  void typesSizesAndOrderAreListed(String source, String options, String list, String line)
      throws IOException {
    assertThat(texts(plan(source, options), list)).contains(line);
  }

  @Test
  void nothingIsListedOfACopy() throws IOException {
    JsonNode plan = plan("saev", "saev --overwrite");
    assertThat(texts(plan, "losses")).isEmpty();
    assertThat(texts(plan, "changes")).allMatch(line -> line.matches("source .*|the last file .*"));
  }

  @Test
  void aPathThatContainsADigestIsUnknown() throws IOException {
    JsonNode plan = plan("spec", "saev --layers 15 --family a --ckpt b");
    assertThat(plan.has("path")).isFalse();
    assertThat(texts(plan, "changes"))
        .contains("the source has no hash; computing its digest requires reading all of it");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void soIsThePathOfAShuffle() throws IOException {
    JsonNode plan = planShuffle("spec", "--to=saev", "--layers=15", "--family=a", "--ckpt=b");
    assertThat(plan.has("path")).isFalse();
    assertThat(plan.get("files").longValue()).isPositive();
    assertThat(plan.get("temporary").findValuesAsText("path"))
        .contains(folder.resolve("out").toString())
        .noneMatch(path -> path.contains("/out/saev/shards/"));
    assertThat(texts(plan, "changes"))
        .containsOnlyOnce(
            "the source has no hash; computing its digest requires reading all of it");
    assertThat(planShuffle("spec", "--to=npy", "--layers=15").has("path")).isTrue();
    assertThat(planShuffle("saev", "--to=saev", "--layers=3").has("path")).isTrue();
  }

  private JsonNode planShuffle(String source, Object... options) throws IOException {
    Object[] shuffle = {"shuffle", sources.resolve(source), folder.resolve("out")};
    return Cli.run(
            shuffle, Stream.concat(Stream.of("--dry-run", "--json"), Stream.of(options)).toArray())
        .succeeds()
        .json()
        .get("datasets")
        .get(0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theDatasetThatIsReplacedAndTheFilesOfADeadRunAreListed(boolean isStream) throws IOException {
    Path source = isStream ? Fixtures.pickle("spec") : sources.resolve("saev");
    Path out = folder.resolve("out");
    Cli.convert(source, out, "npy").succeeds();
    long files = Files.list(out).count();
    Path dead = KilledRun.of(out);
    Files.createFile(Files.createDirectory(dead.resolve("data")).resolve("layer_3.npy"));
    Cli plan = Cli.convert(source, out, "npy --overwrite --dry-run").succeeds();
    assertThat(plan.text().lines().filter(line -> line.startsWith("removes ")))
        .containsExactly(
            "removes    %s (%d files)".formatted(out, files),
            "removes    %s (1 file)".formatted(dead));
    assertThat(Files.list(out)).hasSize((int) files);
    assertThat(dead).exists();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatTheRunWouldNotReplaceIsRefused(boolean isStream) throws IOException {
    Path source = isStream ? Fixtures.pickle("spec") : sources.resolve("saev");
    Path out = Files.createDirectory(folder.resolve("out"));
    Files.createFile(out.resolve("notes.txt"));
    Cli plan = Cli.convert(source, out, "npy --overwrite --dry-run");
    assertThat(plan.exitCode()).isEqualTo(1);
    assertThat(plan.stderr()).contains("is not a complete dataset");
  }

  @Test
  void thePlanIsPrintedAsAFewLines() {
    Path out = folder.resolve("out");
    String text =
        Cli.convert(sources.resolve("saev"), out, "pickle --dtype bf16", "--dry-run")
            .succeeds()
            .text();
    assertThat(text.lines().map(line -> line.replaceFirst("[^ ]+ [KMGT]iB free", "FREE")))
        .containsExactly(
            "plan       map-only, 1 task",
            "reads      480 B",
            "writes     1 file, size unknown until written, to " + out,
            "temporary  "
                + folder.resolve("_out.saev-hadoop")
                + ": size unknown until written, FREE",
            "loses      the labels are left out (format pickle has none)",
            "loses      values of float32 become bfloat16, which does not represent all of them",
            "changes    blocks are stored layer by layer, and no longer example by example",
            "changes    source 480 B of float32, target 240 B of bfloat16 before compression");
    String digest = Cli.run("digest", sources.resolve("saev"), "--dry-run").succeeds().text();
    assertThat(digest.lines().limit(2))
        .containsExactly("plan       map-only, 1 task", "reads      480 B");
    assertThat(digest.lines()).hasSize(3).noneMatch(line -> line.startsWith("writes"));
  }

  @Test
  void aShuffleNeedsRoomForAllValues() throws IOException {
    JsonNode plan = plan("saev", "npy -Dsaev.convert.plan=shuffle -Dhadoop.tmp.dir=" + folder);
    assertThat(plan.get("plan").textValue()).isEqualTo("shuffle");
    JsonNode shuffle = plan.get("temporary").get(1);
    assertThat(shuffle.get("path").textValue()).isEqualTo(folder.toString());
    assertThat(shuffle.get("bytes").longValue()).isEqualTo(480);
  }
}
