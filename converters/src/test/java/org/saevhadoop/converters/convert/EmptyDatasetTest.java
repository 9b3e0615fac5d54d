package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.samediff.RealLoaderRules;

/** Datasets of 0 examples: what each format can hold of them, and a sentence where it cannot. */
@Tag("late")
class EmptyDatasetTest extends ConvertedDatasets {
  private static final String DIGEST =
      "sha256-blocks:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
          + " examples=0 layers=13,21,23 tokens=10 dim=16\n";

  private Path saev;

  @BeforeEach
  void emptySaev() throws IOException {
    Path source = Files.createDirectories(folder.resolve("source"));
    String text = Files.readString(Fixtures.small().resolve("metadata.json")).replace("7,", "0,");
    Files.writeString(source.resolve("metadata.json"), text);
    Files.writeString(source.resolve("shards.json"), "[]");
    Files.write(source.resolve("labels.bin"), new byte[0]);
    saev = source;
  }

  @Test
  void saevToSaevKeepsEverything() throws IOException {
    Path out = convert(saev, "out", "saev");
    assertSameDocuments(out);
    assertThat(Cli.run("list", saev).succeeds().text()).isEmpty();
    assertThat(new ObjectMapper().readTree(out.resolve("shards.json").toFile())).isEmpty();
    assertThat(digest(out)).isEqualTo(DIGEST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"layers", "acts"})
  void safetensorsHasTheShapeInTensorsOfNoRows(String columns) throws IOException {
    Path out = convert(saev, "out", "safetensors", "--columns", columns, "--index");
    assertThat(files(out)).hasSize(3).contains("_tensor_index.parquet", "dataset_manifest.json");
    JsonNode manifest = json(out.resolve("dataset_manifest.json"));
    assertThat(manifest.get("total_samples").asInt()).isZero();
    assertThat(manifest.get("schema").get("labels").get("shape").toString()).isEqualTo("[0,9]");
    Cli.run("verify", out, "--structure").succeeds();
    assertThat(digest(out)).isEqualTo(DIGEST);

    Path back = convert(out, "back", "saev");
    assertSameDocuments(back);
    Path again = convert(out, "again", "safetensors", "--columns", columns, "--index");
    assertSameFiles(again, out);
    Files.delete(out.resolve("dataset_manifest.json"));
    assertThat(digest(out)).isEqualTo(DIGEST);
  }

  @ParameterizedTest
  @CsvSource({"shuffle, --tail=write", "map_only, --tail=pad", "auto, --tail=drop"})
  void noPlanAndNoTailMakesUpExamples(String plan, String tail) throws IOException {
    String asked = "-Dsaev.convert.plan=" + plan;
    Path out = convert(saev, "out", "safetensors", tail, "--batch-size=3", asked);
    assertThat(digest(out)).isEqualTo(DIGEST);
    assertThat(files(out)).hasSize(2);
  }

  @Test
  void otherColumnsAndNumbersAreKeptToo() throws IOException {
    Path source = folder.resolve("x.safetensors");
    Found wide = Found.of("I64", List.of(0L, 2L, 5L));
    NaiveTensors.write(source, Map.of("a", wide, "b", Found.of("BOOL", List.of(0L))));
    Path out = convert(source, "out", "safetensors", "--dtype", "a=F16");
    JsonNode schema = Cli.run("inspect", out, "--json").succeeds().json();
    assertThat(schema.toString()).contains("float16", "bool").contains("[2,5]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec", "real"})
  void pickledShardsKeepTheLayersAlone(String dialect) throws IOException {
    Path out = convert(saev, "out", "pickle", "--dialect", dialect);
    assertThat(files(out)).containsExactly("metadata.json", "shard_0001.pkl.gz");
    Cli.run("verify", out, "--structure").succeeds();
    assertThat(Cli.run("list", out).succeeds().text()).isEmpty();
    JsonNode shard = json(out.resolve("metadata.json")).get("shards").get(0);
    assertThat(shard.get("layers").toString()).isEqualTo("[13,21,23]");
    Path tensors = convert(saev, "tensors", "safetensors");
    Path same = convert(tensors, "same", "pickle", "--dialect", dialect);
    assertThat(same.resolve("shard_0001.pkl.gz"))
        .hasSameBinaryContentAs(out.resolve("shard_0001.pkl.gz"));
    for (String to : List.of("pickle", "safetensors")) {
      Cli.convert(out, folder.resolve(to), to)
          .failsWith(ShardError.NO_SAMPLES, out + "/shard_0001.pkl.gz");
    }
    Object[] described = {folder.resolve("s"), "--to", "saev", "--family", "x", "--ckpt", "y"};
    Cli.run("convert", out, described).failsWith(ShardError.NO_SAMPLES, out + "/shard_0001.pkl.gz");
  }

  @ParameterizedTest
  @CsvSource({
    "saev, 0",
    "safetensors, 0",
    "safetensors --columns=acts, 0",
    "safetensors --kv, 1",
    "pickle, 1",
    "pickle --dialect=real --verify, 1",
    "pickle --uncompressed, 1",
    "samediff, 0",
    "samediff --container=sdz --deflate --verify, 0"
  })
  void theDigestOfNoExamplesIsPrintedOrNothingIsPublished(String to, int exitCode) {
    Cli cli = Cli.convert(saev, folder.resolve("out"), to, "--digest");
    assertThat(cli.exitCode()).as(cli.stderr()).isEqualTo(exitCode);
    if (exitCode == 0) {
      assertThat(cli.text()).startsWith(DIGEST);
      assertThat(cli.lastLinePath()).exists();
    } else {
      assertThat(cli.text()).isEmpty();
      assertThat(folder).isDirectoryNotContaining(path -> !path.equals(saev));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "activations.sdnb, ''",
    "activations.sdnb, --max-shard-bytes=1 -Dsaev.convert.plan=shuffle",
    "activations.sdz, --container=sdz -Dsaev.convert.plan=shuffle",
    "activations.sdz, --container=sdz --deflate"
  })
  void aContainerHasTheShapeInArraysOfNoRows(String file, String options) throws IOException {
    Path out = convert(saev, "out", "samediff " + options);
    assertThat(files(out)).containsExactly(file);
    assertThat(RealLoaderRules.ofOurs(out.resolve(file)))
        .extracting(array -> array.name() + array.shape())
        .containsExactly(
            "layer_13/shard_0[0, 10, 16]",
            "layer_21/shard_0[0, 10, 16]",
            "layer_23/shard_0[0, 10, 16]",
            "labels/shard_0[0, 9]");
    Cli.run("verify", out, "--structure").findsNoProblem();
    assertThat(digest(out)).isEqualTo(DIGEST);
    Path back = convert(out, "back", "saev");
    assertSameDocuments(back);
  }

  @Test
  void keysCannotReportTheColumns() throws IOException {
    Cli.convert(saev, folder.resolve("out"), "safetensors --kv")
        .failsWithText("a dataset without examples has no keys, so its columns would be lost");
    assertThat(files(folder)).containsExactly("source");
  }

  private void assertSameDocuments(Path found) throws IOException {
    assertThat(files(found)).containsExactly("labels.bin", "metadata.json", "shards.json");
    assertThat(found.resolve("metadata.json"))
        .hasSameTextualContentAs(saev.resolve("metadata.json"));
  }

  private static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile());
  }
}
