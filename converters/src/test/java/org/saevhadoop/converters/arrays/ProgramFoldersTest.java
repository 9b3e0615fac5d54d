package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.Corpus;

/** Folders of activations as the programs that cache them leave them. */
@Tag("late")
class ProgramFoldersTest extends ConvertedDatasets {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String HUB_TENSOR =
      "--tensor=blocks.{layer}.hook_resid_post=example,token,dim";

  /** The number of tokens that means {@code --ragged flatten}. */
  private static final int FLATTEN = 0;

  private int outputs;

  @Test
  void filesOfVllmForEachRequestAreExamples() throws Exception {
    ExpectedActivations expected = ExpectedActivations.of("vllm");
    List<ProposedCommand> proposed = proposed("vllm");
    assertIngested(proposed.get(0), expected, FLATTEN);
    assertIngested(proposed.get(1), expected, 3);
    assertIngested(proposed.get(2), expected, 7);
  }

  @Test
  void filesOfSpeculatorsAreExamplesInTheOrderOfTheirNumbers() throws Exception {
    assertIngested(proposed("speculators").get(0), ExpectedActivations.of("speculators"), 6);
  }

  @Test
  void listsOfTensorsOfSpeculatorsAreLayers() throws Exception {
    ExpectedActivations expected = ExpectedActivations.of("speculators-pt");
    List<ProposedCommand> proposed = proposed("speculators-pt");
    assertIngested(proposed.get(0), expected, FLATTEN);
    assertIngested(proposed.get(1), expected, 4);
    assertIngested(proposed.get(2), expected, 5);
  }

  @Test
  void filesOfSpecForgeInFoldersOfRowsAreExamples() throws Exception {
    List<ProposedCommand> proposed = proposed("specforge");
    ExpectedActivations last = ExpectedActivations.of("specforge-hidden_state");
    assertIngested(proposed.get(0), last, FLATTEN);
    assertIngested(proposed.get(1), last, 4);
    ExpectedActivations auxiliary = ExpectedActivations.of("specforge-aux_hidden_state");
    assertIngested(proposed.get(5), auxiliary, 6);
    assertIngested(
        proposed("specforge-plain").get(0), ExpectedActivations.of("specforge-plain"), FLATTEN);
  }

  @Test
  void datasetsOfSaeLensAreRead() throws Exception {
    ProposedCommand command = proposed("saelens").get(0);
    assertThat(command.words())
        .containsSequence("--tensor", "blocks.{layer}.hook_resid_post=example,token,dim");
    Path out = folder.resolve("saelens");
    Cli.run("convert", Fixtures.arrays("saelens"), out, "--to", "safetensors").succeeds();
    Cli.run("diff", Fixtures.arrays("saelens"), out).succeeds();
    Cli.run("verify", Fixtures.arrays("saelens")).succeeds();
    Cli.run("stats", Fixtures.arrays("saelens")).succeeds();
    assertThat(Cli.run("digest", Fixtures.arrays("saelens")).text())
        .isEqualTo(Cli.run("digest", out).text());
    assertThat(Cli.run("inspect", Fixtures.arrays("saelens-hub")).succeeds().text())
        .containsPattern("format +parquet")
        .contains("--tensor 'blocks.{layer}.hook_resid_post=example,token,dim'");
    Cli.run("inspect", Fixtures.arrays("saelens-crash"))
        .failsWithText("of an unfinished run of SAELens");
  }

  @Test
  void theDocumentOfSaeLensNamesTheModel() throws Exception {
    Path hub = Fixtures.arrays("saelens-hub").resolve("data");
    for (Path source : List.of(hub, hub.resolve("train-00000-of-00001.parquet"))) {
      Path out = folder.resolve("hub-" + source.getFileName());
      Cli cli = Cli.convert(source, out, "saev", HUB_TENSOR).succeeds();
      assertThat(cli.stderr()).doesNotContain("nothing names the model", "cache_activations");
      assertThat(Files.readString(cli.lastLinePath().resolve("metadata.json")))
          .contains("\"ckpt\": \"gpt2\"", "\"family\": \"unknown\"");
    }
  }

  @Test
  void compressedTablesOfPolarsAreStaged() throws Exception {
    Path tables = Corpus.checkout().resolve("format/src/test/polars");
    String expected = Cli.run("digest", tables.resolve("none.arrow")).succeeds().text();
    assertThat(expected).contains("examples=300 layers=0 tokens=1 dim=8");
    Path lz4 = tables.resolve("lz4.arrow");
    assertThat(Cli.run("digest", lz4).succeeds().text()).isEqualTo(expected);
    Path out = folder.resolve("lz4");
    Cli.convert(lz4, out, "safetensors", "--verify").succeeds();
    assertThat(Cli.run("digest", out).succeeds().text()).isEqualTo(expected);
    Cli.run("diff", lz4, out).succeeds();
    Cli.run("stats", lz4).succeeds();
    Cli.run("verify", "--structure", lz4).succeeds();
    assertThat(Cli.run("inspect", lz4).succeeds().text()).containsPattern("format +arrow");
  }

  /** The program does not bring the library. */
  @Test
  void theJarThatZstdNeedsIsNamed() {
    for (String file : List.of("zstd.arrow", "zstd.parquet")) {
      Path table = Corpus.checkout().resolve("format/src/test/polars").resolve(file);
      Cli.run("digest", table)
          .failsWithText(
              "compressed with ZSTD", "com.github.luben", "HADOOP_CLASSPATH", "-libjars");
    }
  }

  @Test
  void chunksOfLlamascopiumInFoldersOfHooksAreShards() throws Exception {
    for (String source : List.of("llamascopium", "llamascopium-pt")) {
      ExpectedActivations all = ExpectedActivations.of(source);
      ExpectedActivations expected = all.without("attention_mask").keeping("tokens");
      List<ProposedCommand> proposed = proposed(source);
      assertIngested(proposed.get(0), expected, FLATTEN);
      assertIngested(proposed.get(1), expected, 6);
      List<String> words = new ArrayList<>(proposed.get(1).words());
      words.set(words.indexOf("--ragged") + 1, "truncate:4");
      assertIngested(proposed.get(1).with(words), expected, 4);
    }
  }

  @Test
  void masksOfLlamascopiumMayBeKept() throws Exception {
    ExpectedActivations all = ExpectedActivations.of("llamascopium");
    ProposedCommand command = proposed("llamascopium").get(1);
    List<String> words = new ArrayList<>(command.words());
    words.subList(words.indexOf("--ragged"), words.indexOf("--ragged") + 2).clear();
    List<String> masks = List.of("--mask", "mask=keep", "--mask", "attention_mask=keep");
    words.addAll(masks);
    assertIngested(command.with(words), all.keepingMasks(), 6);
    words.removeAll(masks);
    words.addAll(
        List.of("--ragged", "flatten", "--mask", "mask=drop", "--mask", "attention_mask=keep"));
    assertIngested(
        command.with(words),
        all.without("mask").keeping("tokens", "attention_mask").keepingMasks(),
        FLATTEN);
  }

  @Test
  void uploadsOfActivaultAreShardsInTheirOrder() throws Exception {
    ExpectedActivations expected = ExpectedActivations.of("activault");
    ProposedCommand command = proposed("activault").get(0);
    assertThat(command.words()).endsWith("--family", "unknown", "--ckpt", "llama3.3_70b");
    assertIngested(command, expected, 5);
    assertIngested(proposed("activault/llama3.3_70b").get(0), expected, 5);
  }

  @Test
  void memoryMapsOfCrosscodersAreVectors() throws Exception {
    ExpectedActivations expected = ExpectedActivations.of("crosscoder").keeping();
    assertIngested(proposed("crosscoder").get(0), expected, 1);
  }

  @Test
  void arraysThatAreNamedAsHooksOfTransformerLensAreLayers() throws Exception {
    ExpectedActivations expected = ExpectedActivations.of("scripts");
    assertIngested(proposed("scripts/cache.pt").get(0), expected, 5);
    assertIngested(proposed("scripts/layers").get(0), expected, 5);
    expected = ExpectedActivations.of("scripts-tokens");
    assertIngested(proposed("scripts/hooks.safetensors").get(0), expected, 5);
    assertIngested(proposed("scripts/hooks.npz").get(0), expected, 5);
    assertIngested(proposed("scripts/compressed.npz").get(0), expected, 5);
  }

  @Test
  void bfloatsOfScriptsKeepTheirBits() throws Exception {
    ExpectedActivations expected = ExpectedActivations.of("scripts-bf16");
    assertIngested(proposed("scripts/bf16.npy").get(0), expected, 5);
    assertIngested(proposed("scripts/bf16.pt").get(0), expected, 5);
  }

  @Test
  void thePageHasTheCommands() throws Exception {
    String page = Files.readString(Corpus.checkout().resolve("docs/programs.md"));
    String folders = "vllm speculators-pt specforge llamascopium llamascopium-pt activault";
    for (String source : (folders + " crosscoder scripts/cache.pt scripts/bf16.npy").split(" ")) {
      assertThat(page).contains('`' + proposed(source).get(0).options() + '`');
    }
    assertThat(proposed("scripts/layers").get(0).options()).isEmpty();
  }

  private static List<ProposedCommand> proposed(String source) throws Exception {
    return ProposedCommand.of(Fixtures.arrays(source));
  }

  /**
   * Asserts that a command leaves these values, and per-token integers, in SAEV and safetensors,
   * and the first command of a test in npy and from there.
   */
  private void assertIngested(ProposedCommand command, ExpectedActivations expected, int tokens)
      throws IOException {
    boolean isFirst = outputs == 0;
    Path out = folder.resolve("out" + outputs++);
    Map<String, Found> layers = expected.tensors(tokens);
    byte[] acts = ExpectedActivations.acts(layers);
    Path saev = command.run(out.resolve("saev"), "saev");
    assertThat(acts(saev)).as("%s", command).isEqualTo(acts);
    assertThat(Files.readString(saev.resolve("metadata.json"))).contains("\"protocol\": \"2.1\"");
    String samples = JSON.writeValueAsString(expected.samples(tokens));
    assertThat(samples(saev)).isEqualTo(JSON.readTree(samples));
    Map<String, Found> all = new LinkedHashMap<>(layers);
    all.putAll(expected.integers(tokens));
    Path tensors = command.run(out.resolve("tensors"), "safetensors");
    NaiveTensors.assertSame(NaiveTensors.batches(tensors), all);
    if (isFirst) {
      assertComesBack(tensors, all, acts);
    }
  }

  private void assertComesBack(Path tensors, Map<String, Found> all, byte[] acts)
      throws IOException {
    Path npy = convert(tensors, "out" + outputs++, "npy");
    for (Map.Entry<String, Found> column : all.entrySet()) {
      byte[] file = Files.readAllBytes(npy.resolve(column.getKey() + ".npy"));
      assertThat(ExpectedActivations.npy(file)).isEqualTo(column.getValue().bytes());
    }
    Path back = convert(npy, "out" + outputs++, "saev --family unknown --ckpt unknown");
    assertThat(acts(back)).isEqualTo(acts);
  }

  /** Returns the sample metadata of each example; empty objects if there is none. */
  private static JsonNode samples(Path saev) throws IOException {
    ArrayNode samples = JSON.createArrayNode();
    if (!Files.exists(saev.resolve("acts000000.examples.jsonl.gz"))) {
      int examples = Fixtures.json(saev.resolve("metadata.json")).get("n_examples").intValue();
      Stream.generate(JSON::createObjectNode).limit(examples).forEach(samples::add);
      return samples;
    }
    Cli cli = Cli.run("cat", saev, "--sample-metadata").succeeds();
    for (String line : cli.text().lines().toList()) {
      samples.add(JSON.readTree(line).get("sample"));
    }
    return samples;
  }

  private static byte[] acts(Path saev) throws IOException {
    ByteArrayOutputStream acts = new ByteArrayOutputStream();
    try (Stream<Path> files = Files.list(saev)) {
      List<Path> shards = files.filter(file -> file.toString().endsWith(".bin")).sorted().toList();
      for (Path shard : shards) {
        acts.writeBytes(Files.readAllBytes(shard));
      }
    }
    return acts.toByteArray();
  }
}
