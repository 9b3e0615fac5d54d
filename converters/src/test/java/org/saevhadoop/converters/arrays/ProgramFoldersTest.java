package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Folders of activations as the programs that cache them leave them. */
@Tag("late")
class ProgramFoldersTest extends ConvertedDatasets {
  private static final Object[] UNKNOWN = {"--family", "unknown", "--ckpt", "unknown"};

  @Test
  void filesOfVllmForEachRequestAreExamples() throws IOException {
    ExpectedActivations expected = ExpectedActivations.of("vllm");
    String layout = "--tensor hidden_states=token,layer,dim";
    assertIngested("vllm", expected.tensors(7), layout + " --ragged pad:7");
    assertIngested("vllm", expected.tensors(3), layout + " --ragged truncate:3");
    assertIngested("vllm", expected.tensors(0), layout + " --ragged flatten");
  }

  @Test
  void filesOfSpeculatorsAreExamplesInTheOrderOfTheirNumbers() throws IOException {
    assertIngested(
        "speculators",
        ExpectedActivations.of("speculators").tensors(6),
        "--tensor hidden_states=token,layer,dim");
  }

  @Test
  void listsOfTensorsOfSpeculatorsAreLayers() throws IOException {
    ExpectedActivations expected = ExpectedActivations.of("speculators-pt");
    String layout = "--tensor hidden_states.{layer}=token,dim";
    assertIngested("speculators-pt", expected.tensors(4), layout + " --ragged truncate:4");
    assertIngested("speculators-pt", expected.tensors(0), layout + " --ragged flatten");
  }

  @Test
  void filesOfSpecForgeInFoldersOfRowsAreExamples() throws IOException {
    String files = "--files rows_{shard}/data_{example}.ckpt";
    assertIngested(
        "specforge",
        ExpectedActivations.of("specforge-hidden_state").tensors(6),
        files + " --tensor hidden_state=example,token,dim --ragged pad:6");
    assertIngested(
        "specforge",
        ExpectedActivations.of("specforge-aux_hidden_state").tensors(0),
        files + " --tensor aux_hidden_state=example,token,dim --ragged flatten");
    assertIngested(
        "specforge-plain",
        ExpectedActivations.of("specforge-plain").tensors(4),
        files + " --ragged truncate:4");
  }

  @Test
  void datasetsOfSaeLensAreNamed() {
    for (String source : List.of("saelens", "saelens/data-00000-of-00002.arrow")) {
      Cli.run("inspect", Fixtures.arrays(source)).failsWithText("Arrow file", "not read");
    }
    Cli.run("inspect", Fixtures.arrays("saelens-hub/data")).failsWithText("Parquet", "not read");
  }

  @Test
  void chunksOfLlamascopiumInFoldersOfHooksAreShards() throws IOException {
    String layout = " --tensor activation=example,token,dim";
    assertIngested(
        "llamascopium",
        ExpectedActivations.of("llamascopium").tensors(6),
        "--files {hook}/chunk-{shard}.safetensors" + layout);
    assertIngested(
        "llamascopium-pt",
        ExpectedActivations.of("llamascopium-pt").tensors(6),
        "--files {hook}/shard-{shard}-chunk-{example}.pt" + layout);
  }

  @Test
  void uploadsOfActivaultAreShardsInTheirOrder() throws IOException {
    assertIngested(
        "activault/llama3.3_70b",
        ExpectedActivations.of("activault").tensors(5),
        "--files {hook}/{example}--{shard}_0.saved.pt --tensor states=example,token,dim");
  }

  @Test
  void memoryMapsOfCrosscodersAreVectors() throws IOException {
    ExpectedActivations expected = ExpectedActivations.of("crosscoder");
    assertIngested("crosscoder", expected.tensors(1), "--files {hook}/shard_{shard}.memmap");
  }

  @Test
  void arraysThatAreNamedAsHooksOfTransformerLensAreLayers() throws IOException {
    Map<String, Found> expected = ExpectedActivations.of("scripts").tensors(5);
    String hooks = "--tensor blocks.{layer}.hook_resid_post=example,token,dim";
    assertIngested("scripts/hooks.safetensors", expected, hooks);
    assertIngested("scripts/cache.pt", expected, hooks);
    assertIngested("scripts/hooks.npz", expected, "");
    assertIngested("scripts/layers", expected, "");
  }

  @Test
  void bfloatsOfScriptsKeepTheirBits() throws IOException {
    Map<String, Found> expected = ExpectedActivations.of("scripts-bf16").tensors(5);
    assertIngested("scripts/bf16.npy", expected, "--dtype-stored BF16");
    assertIngested("scripts/bf16.pt", expected, "");
  }

  /** Asserts that a source has these values in SAEV, in safetensors, and in .npy files of both. */
  private void assertIngested(String source, Map<String, Found> expected, String options)
      throws IOException {
    Path from = Fixtures.arrays(source);
    Object[] words = Stream.of(options.split(" ")).filter(word -> !word.isEmpty()).toArray();
    Path into = Files.createTempDirectory(folder, "ingested");
    String name = into.getFileName() + "/";
    Path tensors = convert(from, name + "tensors", "safetensors", words);
    Map<String, Found> found = NaiveTensors.batches(tensors);
    found.keySet().removeIf(column -> !column.startsWith("layer_"));
    NaiveTensors.assertSame(found, expected);
    byte[] acts = ExpectedActivations.acts(expected);
    Path saev = convert(from, name + "saev", "saev", words, UNKNOWN);
    assertThat(acts(saev)).isEqualTo(acts);
    assertThat(Files.readString(saev.resolve("metadata.json"))).contains("\"protocol\": \"2.1\"");
    Path npy = convert(tensors, name + "npy", "npy");
    for (Map.Entry<String, Found> layer : expected.entrySet()) {
      byte[] file = Files.readAllBytes(npy.resolve(layer.getKey() + ".npy"));
      assertThat(ExpectedActivations.npy(file)).isEqualTo(layer.getValue().bytes());
    }
    Path back = convert(npy, name + "back", "saev", UNKNOWN);
    assertThat(acts(back)).isEqualTo(acts);
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
