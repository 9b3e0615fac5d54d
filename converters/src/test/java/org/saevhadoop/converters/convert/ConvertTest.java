package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
import org.saevhadoop.converters.program.ForeignFile;
import org.saevhadoop.format.safetensors.dataset.TensorDatasetError;

@Tag("late")
public class ConvertTest extends ConvertedDatasets {
  @ParameterizedTest
  @CsvSource({
    Fixtures.D768 + ",layers,map-only",
    Fixtures.SMALL + ",layers,shuffle",
    Fixtures.SMALL + ",acts,map-only",
    Fixtures.LEGACY + ",acts,shuffle"
  })
  void aRoundTripGivesTheSameDataset(String hash, String columns, String plan) throws IOException {
    Path source = Fixtures.saev(hash);
    Path tensors = folder.resolve("tensors");
    String key = "saev.convert.plan=" + plan;
    Cli there =
        Cli.convert(
                source,
                tensors,
                "safetensors --verbose --columns " + columns + " --batch-size 2",
                "-D",
                key)
            .succeeds();
    assertThat(there.text()).isEqualTo(tensors + System.lineSeparator());
    assertThat(there.stderr()).contains("convert: " + plan + ": ");
    Path back = convert(tensors, "saev", "saev", "-D", key);
    Fixtures.assertSameDataset(back, source);
    assertThat(digest(tensors)).isEqualTo(digest(source)).isEqualTo(digest(back));
  }

  @Test
  void thePlanReportsWhyItShuffles() {
    Cli cli =
        Cli.convert(
                Fixtures.saev(Fixtures.D768),
                folder.resolve("out"),
                "safetensors --verbose -Dmapreduce.input.fileinputformat.split.maxsize=400000")
            .succeeds();
    assertThat(cli.stderr())
        .contains(
            "shuffle: tasks of at most 390.6 KiB (mapreduce.input.fileinputformat.split.maxsize) do"
                + " not cover a target file of 1.5 MiB");
    assertThat(digest(folder.resolve("out"))).isEqualTo(digest(Fixtures.saev(Fixtures.D768)));
  }

  @Test
  void tasksOfSeveralFilesAndFilesOfSeveralTasksGiveTheSameBytes() throws IOException {
    Path source = Fixtures.small();
    Path one = convert(source, "one", "safetensors --batch-size 1");
    Path many =
        convert(
            source,
            "many",
            "safetensors --batch-size 1 -Dmapreduce.input.fileinputformat.split.maxsize=4000");
    assertSameFiles(many, one);
    assertThat(files(one)).hasSize(8);
  }

  @Test
  void aDirectoryWhoseNameIsNotItsHashComesBackUnderItsName() throws IOException {
    // as saev itself leaves it where data had integer keys, or after an edit
    String name = "f9deaa8a".repeat(8);
    Path source = folder.resolve(name);
    Files.move(Fixtures.copy(Fixtures.SMALL, folder), source);
    JsonNode report = Cli.run("inspect", source, "--json").succeeds().json();
    assertThat(report.get("hash_matches").asBoolean()).isFalse();
    assertThat(report.get("warnings").get(0).asText()).contains("integer keys");
    Path tensors = convert(source, "tensors", "safetensors");
    Path back = convert(tensors, "a", "saev");
    Fixtures.assertSameDataset(back, source);
    Path changed = convert(tensors, "b", "saev --ckpt other");
    assertThat(changed.getFileName()).hasToString(hashOf(changed));

    Path renamed = Files.move(source, folder.resolve("mine"));
    Path plain = convert(renamed, "c", "saev");
    assertThat(plain.getFileName()).hasToString(Fixtures.SMALL);
  }

  @Test
  void onlyTheFormatsOwnFilesAreLeft() throws IOException {
    Path tensors = convert(Fixtures.small(), "tensors", "safetensors");
    assertThat(files(tensors))
        .hasSize(2)
        .contains("dataset_manifest.json")
        .anyMatch(name -> name.matches("part-00000-0000-[0-9a-f-]{36}\\.safetensors"));
    Cli.convert(tensors, folder.resolve("saev"), "saev").succeeds();
    assertThat(files(folder.resolve("saev"))).containsExactly(Fixtures.SMALL);
    assertThat(files(folder.resolve("saev").resolve(Fixtures.SMALL)))
        .isEqualTo(files(Fixtures.small()));
    assertThat(files(folder)).containsExactly("saev", "tensors");
  }

  @ParameterizedTest
  @CsvSource({Fixtures.SMALL + ", safetensors", "shards/64988989, safetensors --kv"})
  void theSameConversionTwiceGivesTheSameFiles(String source, String options) throws IOException {
    Path first = convert(Fixtures.saev(source), "a", options);
    assertSameFiles(first, convert(Fixtures.saev(source), "b", options));
  }

  @Test
  void aDatasetThatLostItsManifestAndAPartIsRefused() throws IOException {
    Path source = Fixtures.small();
    Path tensors = convert(source, "tensors", "safetensors --batch-size 3");
    Files.delete(tensors.resolve("dataset_manifest.json"));
    assertThat(digest(tensors)).isEqualTo(digest(source));
    Files.delete(tensors.resolve(files(tensors).get(2)));
    Cli.convert(tensors, folder.resolve("saev"), "saev")
        .failsWith(TensorDatasetError.MISSING_FILE, tensors);
  }

  @Test
  void keysStandForOptionsThatAreNotGiven() throws IOException {
    Path out =
        convert(
            Fixtures.small(),
            "out",
            "safetensors -Dsaev.output.columns=acts -Dsaev.output.batch.size=4"
                + " -Dsaev.input.tokens=cls -Dsaev.input.layers=13");
    assertThat(tensorNames(out)).containsExactly("acts");
    assertThat(files(out)).hasSize(3);
    assertThat(Cli.run("digest", out).lastLine())
        .isEqualTo(Cli.run("digest", Fixtures.small(), "--tokens=cls", "--layers=13").lastLine());
    Cli cli =
        Cli.convert(out, folder.resolve("saev"), "saev --columns acts -Dsaev.output.tail=exact")
            .succeeds();
    assertThat(cli.stderr()).contains("warning: --columns has no effect with --to saev");
    // seven vectors of [CLS] in one layer; a full shard holds sixty
    assertThat(Files.size(cli.lastLinePath().resolve("acts000000.bin"))).isEqualTo(7 * 16 * 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {Fixtures.SMALL, Fixtures.LEGACY})
  void theShardSizeAndTheTailAreTheUsers(String hash) throws IOException {
    Path source = Fixtures.saev(hash);
    JsonNode inspected = Cli.run("inspect", source, "--json").json();
    int layers = inspected.get("layers").size();
    int tokens = inspected.get("tokens").asInt();
    int exampleBytes = layers * tokens * inspected.get("dim").asInt() * 4;
    Path out =
        convert(source, "saev", "saev --tail exact", "--tokens-per-shard", layers * tokens * 3);
    int rest = inspected.get("examples").asInt() % 3;
    List<String> acts = files(out).stream().filter(f -> f.startsWith("acts")).toList();
    assertThat(Files.size(out.resolve(acts.get(0)))).isEqualTo(3L * exampleBytes);
    assertThat(Files.size(out.resolve(acts.get(acts.size() - 1))))
        .isEqualTo((long) rest * exampleBytes);
    assertThat(digest(out)).isEqualTo(digest(source));
    assertThat(Cli.run("inspect", out, "--json").json().get("hash_matches").asBoolean()).isTrue();
  }

  @Test
  void theProtocolIsTheUsersAndLegacyComesBackFromItByteForByte() throws IOException {
    Path source = Fixtures.saev(Fixtures.LEGACY);
    Path modern = convert(source, "a", "saev --protocol 1.0.0");
    JsonNode inspected = Cli.run("inspect", modern, "--json").json();
    assertThat(inspected.get("protocol").asText()).isEqualTo("1.0.0");
    assertThat(inspected.get("hash_matches").asBoolean()).isTrue();
    assertThat(files(modern)).contains("shards.json");
    Path legacy = convert(modern, "b", "saev --protocol legacy");
    Fixtures.assertSameDataset(legacy, source);
  }

  @ParameterizedTest
  @CsvSource({"a, a/saev/shards", "b/saev/shards, b/saev/shards", "saev, saev/saev/shards"})
  void protocol2IsInSaevShardsWhereverThatIs(String asked, Path above) throws IOException {
    Path source = Fixtures.small();
    Path out = convert(source, asked, "saev --protocol 2.1");
    assertThat(out.getParent()).isEqualTo(folder.resolve(above));
    assertThat(Cli.run("inspect", out, "--json").json().get("warnings")).isEmpty();
  }

  @Test
  void activationsWithoutMetadataNeedTheModelsName() throws IOException {
    Path tensors = convert(Fixtures.small(), "tensors", "safetensors");
    // the same tensors as another program would write them
    Path foreign = Files.createDirectories(folder.resolve("foreign"));
    Path part = tensors.resolve(files(tensors).get(1));
    ForeignFile.withoutMetadata(part, foreign.resolve("x.safetensors"));
    Path saev = folder.resolve("saev");
    Cli.convert(foreign, saev, "saev")
        .failsAsUsage(foreign + ": carries no SAEV metadata", "--family unknown --ckpt unknown");
    Path data = Files.writeString(folder.resolve("data.json"), "{\"root\": \"/x\", \"n\": 1e-5}");
    Path out =
        Cli.convert(foreign, saev, "saev --family clip --ckpt ViT-B-32 --cls", "--data", data)
            .succeeds()
            .lastLinePath();
    assertThat(digest(out)).isEqualTo(digest(Fixtures.small()));
    assertThat(out.getParent()).isEqualTo(saev.resolve("saev/shards"));
    assertThat(Files.readString(out.resolve("metadata.json")))
        .contains(
            "\"protocol\": \"2.1\"",
            "\"ckpt\": \"ViT-B-32\"",
            "\"content_tokens_per_example\": 9",
            "\"dataset\": \"/x\"",
            "\"pixel_agg\": \"majority\"");
    assertThat(out.getFileName()).hasToString(hashOf(out));
    Path older = folder.resolve("older");
    Path migrated = Cli.convert(out, older, "saev --protocol 1.0.0").succeeds().lastLinePath();
    assertThat(Files.readString(migrated.resolve("metadata.json")))
        .contains("\"vit_ckpt\": \"ViT-B-32\"", "\"n_patches_per_img\": 9", "\"n\": 1e-05");
  }
}
