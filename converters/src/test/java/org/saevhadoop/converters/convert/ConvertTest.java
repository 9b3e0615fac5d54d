package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.ForeignFile;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.saev.metadata.SaevError;
import org.saevhadoop.format.safetensors.dataset.TensorDatasetError;
import org.saevhadoop.format.safetensors.header.SafetensorsError;

@Tag("late")
public class ConvertTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    Fixtures.D768 + ",layers,map-only",
    Fixtures.D768 + ",acts,shuffle",
    Fixtures.SMALL + ",layers,shuffle",
    Fixtures.SMALL + ",acts,map-only",
    Fixtures.LEGACY + ",layers,map-only",
    Fixtures.LEGACY + ",acts,shuffle"
  })
  void aRoundTripGivesTheSameDataset(String hash, String columns, String plan) throws IOException {
    Path source = Fixtures.saev(hash);
    Path tensors = folder.resolve("tensors");
    String key = "saev.convert.plan=" + plan;
    Cli there =
        Cli.run(
                "-D",
                key,
                "convert",
                source,
                tensors,
                "--to",
                "safetensors",
                "--columns",
                columns,
                "--batch-size",
                2)
            .succeeds();
    assertThat(there.text()).isEqualTo(tensors + System.lineSeparator());
    assertThat(there.stderr()).contains(plan + ": ");
    Path back =
        Cli.run("convert", tensors, folder.resolve("saev"), "-D", key, "--to", "saev")
            .succeeds()
            .lastLinePath();
    Fixtures.assertSameDataset(back, source);
    assertThat(digest(tensors)).isEqualTo(digest(source)).isEqualTo(digest(back));
  }

  @Test
  void thePlanTellsWhyItShuffles() {
    Cli cli =
        Cli.run(
                "convert",
                Fixtures.saev(Fixtures.D768),
                folder.resolve("out"),
                "--to",
                "safetensors",
                "-Dmapreduce.input.fileinputformat.split.maxsize=400000")
            .succeeds();
    assertThat(cli.stderr())
        .contains(
            "shuffle: tasks of at most 390.6 KiB (mapreduce.input.fileinputformat.split.maxsize) do"
                + " not cover a target file of 1.5 MiB");
    assertThat(digest(folder.resolve("out"))).isEqualTo(digest(Fixtures.saev(Fixtures.D768)));
  }

  @Test
  void tasksOfSeveralFilesAndFilesOfSeveralTasksGiveTheSameBytes() throws IOException {
    Path source = Fixtures.saev(Fixtures.SMALL);
    Path one = folder.resolve("one");
    Path many = folder.resolve("many");
    Cli.run("convert", source, one, "--to", "safetensors", "--batch-size", 1).succeeds();
    Cli.run(
            "convert",
            source,
            many,
            "--to",
            "safetensors",
            "--batch-size",
            1,
            "-Dmapreduce.input.fileinputformat.split.maxsize=4000")
        .succeeds();
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
    Path tensors = folder.resolve("tensors");
    Cli.run("convert", source, tensors, "--to", "safetensors").succeeds();
    Path back = Cli.run("convert", tensors, folder.resolve("a"), "--to", "saev").lastLinePath();
    Fixtures.assertSameDataset(back, source);
    Path changed =
        Cli.run("convert", tensors, folder.resolve("b"), "--to", "saev", "--ckpt", "other")
            .lastLinePath();
    assertThat(changed.getFileName()).hasToString(hashOf(changed));

    Path renamed = Files.move(source, folder.resolve("mine"));
    Path plain = Cli.run("convert", renamed, folder.resolve("c"), "--to", "saev").lastLinePath();
    assertThat(plain.getFileName()).hasToString(Fixtures.SMALL);
  }

  @Test
  void onlyTheFormatsOwnFilesAreLeft() throws IOException {
    Path tensors = folder.resolve("tensors");
    Cli.run("convert", Fixtures.saev(Fixtures.SMALL), tensors, "--to", "safetensors").succeeds();
    assertThat(files(tensors))
        .hasSize(2)
        .contains("dataset_manifest.json")
        .anyMatch(name -> name.matches("part-00000-0000-[0-9a-f-]{36}\\.safetensors"));
    Cli.run("convert", tensors, folder.resolve("saev"), "--to", "saev").succeeds();
    assertThat(files(folder.resolve("saev"))).containsExactly(Fixtures.SMALL);
    assertThat(files(folder.resolve("saev").resolve(Fixtures.SMALL)))
        .containsExactly(
            "acts000000.bin",
            "acts000001.bin",
            "acts000002.bin",
            "acts000003.bin",
            "metadata.json",
            "shards.json");
    assertThat(files(folder)).containsExactly("saev", "tensors");
  }

  @Test
  void theSameConversionTwiceGivesTheSameFiles() throws IOException {
    for (String name : List.of("a", "b")) {
      Cli.run("convert", Fixtures.saev(Fixtures.SMALL), folder.resolve(name), "--to", "safetensors")
          .succeeds();
    }
    assertSameFiles(folder.resolve("a"), folder.resolve("b"));
  }

  @Test
  void anExistingDestinationIsKeptWithoutOverwrite() throws IOException {
    Path out = folder.resolve("out");
    Path source = Fixtures.saev(Fixtures.SMALL);
    Cli.run("convert", source, out, "--to", "safetensors").succeeds();
    Cli.run("convert", source, out, "--to", "safetensors", "--columns", "acts")
        .failsWith(FileError.ALREADY_EXISTS, out);
    assertThat(tensorNames(out)).containsExactly("layer_13", "layer_21", "layer_23");
    Cli.run("convert", source, out, "--to", "safetensors", "--columns", "acts", "--overwrite")
        .succeeds();
    assertThat(tensorNames(out)).containsExactly("acts");
    assertThat(files(folder)).containsExactly("out");

    Path saev = folder.resolve("saev");
    Cli.run("convert", out, saev, "--to", "saev").succeeds();
    Cli.run("convert", out, saev, "--to", "saev")
        .failsWith(FileError.ALREADY_EXISTS, saev.resolve(Fixtures.SMALL));
    Cli.run("convert", out, saev, "--to", "saev", "--overwrite").succeeds();
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
    over[1] = Fixtures.saev(Fixtures.SMALL);
    over[2] = victim;
    Cli.run(over).failsWith(FileError.NOT_REPLACEABLE, victim);
    Files.writeString(victim.resolve("dataset_manifest.json"), "{}");
    Cli.run(over).failsWith(FileError.NOT_REPLACEABLE, victim);
    over[2] = thesis;
    Cli.run(over).failsWith(FileError.NOT_REPLACEABLE, thesis);
    assertThat(thesis).hasContent("years of work");
    assertThat(digest(source)).isEqualTo(digest(Fixtures.saev(Fixtures.SMALL)));
  }

  @Test
  void aDatasetThatLostItsManifestAndAPartIsRefused() throws IOException {
    Path tensors = folder.resolve("tensors");
    Path source = Fixtures.saev(Fixtures.SMALL);
    Cli.run("convert", source, tensors, "--to", "safetensors", "--batch-size", 3).succeeds();
    Files.delete(tensors.resolve("dataset_manifest.json"));
    assertThat(digest(tensors)).isEqualTo(digest(source));
    Files.delete(tensors.resolve(files(tensors).get(2)));
    Cli.run("convert", tensors, folder.resolve("saev"), "--to", "saev")
        .failsWith(TensorDatasetError.MISSING_FILE, tensors);
  }

  @Test
  void keysStandForOptionsThatAreNotGiven() throws IOException {
    Path out = folder.resolve("out");
    Cli.run(
            "convert",
            Fixtures.saev(Fixtures.SMALL),
            out,
            "--to",
            "safetensors",
            "-Dsaev.output.columns=acts",
            "-Dsaev.output.batch.size=4",
            "-Dsaev.input.tokens=cls",
            "-Dsaev.input.layers=13")
        .succeeds();
    assertThat(tensorNames(out)).containsExactly("acts");
    assertThat(files(out)).hasSize(3);
    assertThat(Cli.run("digest", out).lastLine())
        .isEqualTo(
            Cli.run("digest", Fixtures.saev(Fixtures.SMALL), "--tokens=cls", "--layers=13")
                .lastLine());
    Cli cli =
        Cli.run(
                "convert",
                out,
                folder.resolve("saev"),
                "--to",
                "saev",
                "--columns",
                "acts",
                "-Dsaev.output.tail=exact")
            .succeeds();
    assertThat(cli.stderr()).contains("warning: --columns has no effect with --to saev");
    // seven vectors of [CLS] in one layer; a full shard holds sixty
    assertThat(Files.size(cli.lastLinePath().resolve("acts000000.bin"))).isEqualTo(7 * 16 * 4);
  }

  @Test
  void aFailedReplacementLeavesTheOldDataset() throws IOException {
    Path out = folder.resolve("out");
    Cli.run("convert", Fixtures.saev(Fixtures.SMALL), out, "--to", "safetensors").succeeds();
    Path first = Cli.run("convert", out, folder.resolve("saev"), "--to", "saev").lastLinePath();
    String before = digest(out);
    // found only when it is read: the manifest, which is all that planning reads, agrees with it
    Path broken = folder.resolve("broken");
    Cli.run("convert", first, broken, "--to", "safetensors", "--batch-size", 3).succeeds();
    Path last = broken.resolve(files(broken).get(3));
    byte[] bytes = Files.readAllBytes(last);
    bytes[8] = '[';
    Files.write(last, bytes);
    Cli.run("convert", broken, out, "--to", "safetensors", "--overwrite")
        .failsWith(SafetensorsError.InvalidHeaderDeserialization, last);
    assertThat(digest(out)).isEqualTo(before);
    assertThat(files(folder)).containsExactly("broken", "out", "saev");
  }

  @Test
  void leftoversOfAKilledRunAreRemovedAndAnInterruptedReplacementIsUndone() throws IOException {
    Path source = Fixtures.saev(Fixtures.SMALL);
    Path out = folder.resolve("out");
    Path dead = KilledRun.of(out);
    Files.write(
        Files.createDirectories(dead.resolve("data/_temporary/0")).resolve("a"), new byte[5]);
    Cli.run("convert", source, out, "--to", "safetensors").succeeds();
    assertThat(files(folder)).containsExactly("out");

    // killed between the two renames: the old one waits aside, nothing is in its place
    dead = KilledRun.of(out);
    Files.createDirectory(dead.resolve("data"));
    Files.move(out, dead.resolve("replaced"));
    Cli.run("convert", source, out, "--to", "safetensors")
        .failsWith(FileError.ALREADY_EXISTS, "out");
    assertThat(files(folder)).containsExactly("out");
    assertThat(digest(out)).isEqualTo(digest(source));

    // killed after them: the new one is in its place, the old one was not removed yet
    dead = KilledRun.of(out);
    Fixtures.copy(Fixtures.SMALL, dead.resolve("replaced"));
    Cli.run("convert", source, out, "--to", "safetensors", "--overwrite").succeeds();
    assertThat(files(folder)).containsExactly("out");
  }

  @Test
  void aDatasetThatWaitsAsideIsKeptWhileSomethingElseIsInItsPlace() throws IOException {
    Path source = Fixtures.saev(Fixtures.SMALL);
    Path out = folder.resolve("out");
    Path dead = KilledRun.of(out);
    Files.createDirectory(dead.resolve("data"));
    Path old = Fixtures.copy(Fixtures.SMALL, dead.resolve("replaced"));
    Path other = Files.writeString(Files.createDirectory(out).resolve("notes"), "of mine");
    Cli.run("convert", source, out, "--to", "safetensors", "--overwrite")
        .failsWith(FileError.NOT_REPLACEABLE, dead.resolve("replaced"));
    assertThat(other).hasContent("of mine");
    assertThat(digest(old)).isEqualTo(digest(source));
  }

  @ParameterizedTest
  @ValueSource(strings = {"_out.unfinished", "_out.replaced", "_out.saev-hadoop"})
  void foldersOfAUserAreNotTakenForLeftovers(String name) throws IOException {
    Path foreign = Files.createDirectories(folder.resolve(name));
    Path thesis = Files.writeString(foreign.resolve("thesis.tex"), "years of work");
    Path out = folder.resolve("out");
    Cli run = Cli.run("convert", Fixtures.saev(Fixtures.SMALL), out, "--to", "safetensors");
    if (name.endsWith(".saev-hadoop")) {
      run.failsWith(FileError.NOT_REPLACEABLE, foreign);
      assertThat(files(folder)).containsExactly(name);
    } else {
      run.succeeds();
    }
    assertThat(files(foreign)).containsExactly("thesis.tex");
    assertThat(thesis).hasContent("years of work");
  }

  @ParameterizedTest
  @ValueSource(strings = {Fixtures.SMALL, Fixtures.LEGACY})
  void theShardSizeAndTheTailAreTheUsers(String hash) throws IOException {
    Path source = Fixtures.saev(hash);
    JsonNode inspected = Cli.run("inspect", source, "--json").json();
    int layers = inspected.get("layers").size();
    int tokens = inspected.get("tokens_per_example").asInt();
    int exampleBytes = layers * tokens * inspected.get("dim").asInt() * 4;
    Path out =
        Cli.run(
                "convert",
                source,
                folder.resolve("saev"),
                "--to",
                "saev",
                "--tail",
                "exact",
                "--tokens-per-shard",
                layers * tokens * 3)
            .succeeds()
            .lastLinePath();
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
    Path modern =
        Cli.run("convert", source, folder.resolve("a"), "--to", "saev", "--protocol", "1.0.0")
            .succeeds()
            .lastLinePath();
    JsonNode inspected = Cli.run("inspect", modern, "--json").json();
    assertThat(inspected.get("protocol").asText()).isEqualTo("1.0.0");
    assertThat(inspected.get("hash_matches").asBoolean()).isTrue();
    assertThat(files(modern)).contains("shards.json");
    Path legacy =
        Cli.run("convert", modern, folder.resolve("b"), "--to", "saev", "--protocol", "legacy")
            .succeeds()
            .lastLinePath();
    Fixtures.assertSameDataset(legacy, source);
  }

  @ParameterizedTest
  @CsvSource({"a, a/saev/shards", "b/saev/shards, b/saev/shards", "saev, saev/saev/shards"})
  void protocol2LiesInSaevShardsWhereverThatIs(Path asked, Path above) throws IOException {
    Path source = Fixtures.saev(Fixtures.SMALL);
    Path out =
        Cli.run("convert", source, folder.resolve(asked), "--to", "saev", "--protocol", "2.1")
            .succeeds()
            .lastLinePath();
    assertThat(out.getParent()).isEqualTo(folder.resolve(above));
    assertThat(Cli.run("inspect", out, "--json").json().get("warnings")).isEmpty();
  }

  @Test
  void activationsWithoutMetadataNeedTheModelsName() throws IOException {
    Path tensors = folder.resolve("tensors");
    Cli.run("convert", Fixtures.saev(Fixtures.SMALL), tensors, "--to", "safetensors").succeeds();
    // the same tensors as another program would write them
    Path foreign = Files.createDirectories(folder.resolve("foreign"));
    Path part = tensors.resolve(files(tensors).get(1));
    ForeignFile.withoutMetadata(part, foreign.resolve("x.safetensors"));
    Path saev = folder.resolve("saev");
    Cli.run("convert", foreign, saev, "--to", "saev")
        .failsWith(SaevError.NOT_REPRESENTABLE, foreign);
    Path data = Files.writeString(folder.resolve("data.json"), "{\"root\": \"/x\", \"n\": 1e-5}");
    Path out =
        Cli.run(
                "convert",
                foreign,
                saev,
                "--to",
                "saev",
                "--family",
                "clip",
                "--ckpt",
                "ViT-B-32",
                "--cls",
                "--data",
                data)
            .succeeds()
            .lastLinePath();
    assertThat(digest(out)).isEqualTo(digest(Fixtures.saev(Fixtures.SMALL)));
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
    Path migrated =
        Cli.run("convert", out, older, "--to", "saev", "--protocol", "1.0.0")
            .succeeds()
            .lastLinePath();
    assertThat(Files.readString(migrated.resolve("metadata.json")))
        .contains("\"vit_ckpt\": \"ViT-B-32\"", "\"n_patches_per_img\": 9", "\"n\": 1e-05");
  }

  @ParameterizedTest
  @CsvSource({
    Fixtures.SMALL + ",layers,map-only,3",
    Fixtures.SMALL + ",acts,shuffle,3",
    Fixtures.SMALL + ",layers,shuffle,1",
    Fixtures.SMALL + ",acts,map-only,7",
    Fixtures.D768 + ",layers,map-only,3",
    Fixtures.D768 + ",acts,shuffle,2"
  })
  void labelsTravelWithTheirExamplesThereAndBack(
      String hash, String columns, String plan, int batch) throws IOException {
    Path source = Fixtures.labelled(hash, folder);
    String key = "saev.convert.plan=" + plan;
    Path tensors = folder.resolve("tensors");
    toSafetensors(source, tensors, columns, batch, key);
    assertThat(labelsIn(tensors)).isEqualTo(Files.readAllBytes(source.resolve("labels.bin")));
    // into files of other sizes and the other columns
    Path again = folder.resolve("again");
    String others = columns.equals("acts") ? "layers" : "acts";
    toSafetensors(tensors, again, others, 2, key);
    assertThat(labelsIn(again)).isEqualTo(Files.readAllBytes(source.resolve("labels.bin")));
    for (Path tensor : List.of(tensors, again)) {
      Path saev = folder.resolve(tensor.getFileName() + "-saev");
      Path back =
          Cli.run("convert", tensor, saev, "-D", key, "--to", "saev").succeeds().lastLinePath();
      Fixtures.assertSameDataset(back, source);
      assertThat(files(back)).isEqualTo(files(source));
    }
    assertThat(digest(tensors)).isEqualTo(digest(Fixtures.saev(hash)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"map-only", "shuffle"})
  void labelsStayWithShardsOfAnotherSize(String plan) throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    Path found =
        Cli.run(
                "convert",
                source,
                folder.resolve("saev"),
                "--to",
                "saev",
                "--tokens-per-shard",
                90,
                "-Dsaev.convert.plan=" + plan)
            .succeeds()
            .lastLinePath();
    assertThat(files(found))
        .containsExactly(
            "acts000000.bin",
            "acts000001.bin",
            "acts000002.bin",
            "labels.bin",
            "metadata.json",
            "shards.json");
    assertThat(found.resolve("labels.bin")).hasSameBinaryContentAs(source.resolve("labels.bin"));
  }

  @Test
  void oneFileWithLabelsIsInspectedConvertedAndReplaced() throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    Path tensors = folder.resolve("tensors");
    Cli.run("convert", source, tensors, "--to", "safetensors").succeeds();
    assertThat(tensorNames(tensors)).containsExactly("layer_13", "layer_21", "layer_23", "labels");
    Path part = tensors.resolve(files(tensors).get(1));
    Path saev = folder.resolve("saev");
    for (int i = 0; i < 2; i++) {
      Path back =
          Cli.run("convert", part, saev, "--to", "saev", "--overwrite").succeeds().lastLinePath();
      Fixtures.assertSameDataset(back, source);
    }
  }

  @Test
  void labelsOfAnotherDatasetAreTakenWhereItIsNamed() throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    Path out = folder.resolve("out");
    Cli.run(
            "convert",
            Fixtures.saev(Fixtures.SMALL),
            out,
            "--to",
            "safetensors",
            "-Dsaev.output.labels=" + source)
        .succeeds();
    assertThat(labelsIn(out)).isEqualTo(Files.readAllBytes(source.resolve("labels.bin")));
    Cli.run(
            "convert",
            Fixtures.saev(Fixtures.D768),
            folder.resolve("other"),
            "--to",
            "safetensors",
            "-Dsaev.output.labels=" + source)
        .failsWith(DatasetError.LABELS_MISMATCH, source);
    assertThat(folder.resolve("other")).doesNotExist();
  }

  /** The bytes of the tensor {@code labels} of all parts, as its offsets say. */
  private static byte[] labelsIn(Path dataset) throws IOException {
    ByteArrayOutputStream labels = new ByteArrayOutputStream();
    for (String name : files(dataset)) {
      if (name.endsWith(".safetensors")) {
        byte[] part = Files.readAllBytes(dataset.resolve(name));
        int n = (int) ByteBuffer.wrap(part).order(ByteOrder.LITTLE_ENDIAN).getLong();
        JsonNode tensor = new ObjectMapper().readTree(part, 8, n).get("labels");
        assertThat(tensor.get("dtype").asText()).isEqualTo("U8");
        int begin = 8 + n + tensor.get("data_offsets").get(0).asInt();
        int end = 8 + n + tensor.get("data_offsets").get(1).asInt();
        int examples = tensor.get("shape").get(0).asInt();
        assertThat(end - begin).isEqualTo(examples * tensor.get("shape").get(1).asInt());
        assertThat(end).isEqualTo(part.length);
        labels.write(part, begin, end - begin);
      }
    }
    return labels.toByteArray();
  }

  private static void toSafetensors(Path from, Path to, String columns, int batch, String setting) {
    Cli.run(
            "convert",
            from,
            to,
            "--to",
            "safetensors",
            "--columns",
            columns,
            "--batch-size",
            batch,
            "-D",
            setting)
        .succeeds();
  }

  private static String hashOf(Path dataset) throws IOException {
    return Cli.run("inspect", dataset, "--json").json().get("hash").asText();
  }

  public static String digest(Path dataset) {
    return Cli.run("digest", dataset).succeeds().text();
  }

  private static List<String> tensorNames(Path dataset) throws IOException {
    Path part = dataset.resolve(files(dataset).get(1));
    return Cli.run("inspect", part, "--json").json().get("tensors").findValuesAsText("name");
  }

  private static void assertSameFiles(Path found, Path expected) throws IOException {
    assertThat(files(found)).isEqualTo(files(expected));
    for (String name : files(expected)) {
      assertThat(found.resolve(name)).hasSameBinaryContentAs(expected.resolve(name));
    }
  }

  public static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }
}
