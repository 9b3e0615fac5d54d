package org.saevhadoop.format.saev;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.saev.SaevWritePlan.Tail;
import org.saevhadoop.format.saev.metadata.GenerationsTest;
import org.saevhadoop.format.saev.metadata.SaevMetadata;

/** Seven examples in shards of two, of which something is wrong. */
class SaevCheckTest {
  private static final int FULL = 3840;

  @TempDir Path temporary;

  /** A way to break a directory. */
  private interface Damage {
    void apply(Path folder) throws IOException;
  }

  static Stream<Arguments> broken() {
    return Stream.of(
        broken("v100", delete("metadata.json"), "metadata.json: is missing"),
        broken("v100", write("metadata.json", "{"), "metadata.json: not JSON"),
        broken("v100", write("metadata.json", "[]"), "metadata.json: is not a JSON object"),
        broken("v100", write("metadata.json", "{}"), "metadata.json: is no SAEV metadata"),
        broken("v100", rename("metadata.json", "n_imgs"), "metadata.json: field n_imgs is missing"),
        broken("v100", edit("metadata.json", "float32", "float16"), "metadata.json: dtype is"),
        broken(
            "v100",
            edit("metadata.json", "\"n_imgs\": 7", "\"n_imgs\": 2000000000"),
            "metadata.json: implies 1000000000 shards, but only 6 files lie here",
            "shards.json: counts 7 examples (expected 2000000000"),
        broken("v100", delete("acts000001.bin"), "acts000001.bin: is missing (expected 2 examples"),
        broken(
            "v100",
            all(delete("acts000000.bin"), delete("acts000002.bin"), delete("acts000003.bin")),
            "acts000000.bin: is missing (expected 2 examples in it)",
            "acts000002.bin: is missing, as are all up to acts000003.bin (expected 3 examples in"),
        broken(
            "v20",
            all(delete("acts000001.bin"), folder("acts000001.bin")),
            "acts000001.bin: is missing (expected 2 examples in it)"),
        broken(
            "v21", length("acts000000.bin", 0), "acts000000.bin: has 0 bytes, too short for its"),
        broken("v1", length("acts000001.bin", 3839), "acts000001.bin: has 3839 bytes, too short"),
        broken("v1", length("acts000003.bin", 1919), "acts000003.bin: has 1919 bytes, too short"),
        broken(
            "v1",
            length("acts000003.bin", 1920),
            "acts000003.bin: is shorter than a full file: the original readers map 3840 bytes"),
        broken("v100", delete("shards.json"), "shards.json: is missing"),
        broken("v100", write("shards.json", "{}"), "shards.json: is not a JSON list"),
        broken("v100", write("shards.json", "[[]]"), "shards.json: entry 0 is not an object"),
        broken("v100", write("shards.json", "[{}]"), "shards.json: field name is null"),
        broken(
            "v20",
            edit("shards.json", ": 1", ": -1"),
            "shards.json: field n_examples is -1 (expected an integer from 0 to "),
        broken(
            "v20",
            edit("shards.json", "n_examples", "n_imgs"),
            "shards.json: has keys that the original readers refuse: [n_imgs] (expected name and"
                + " n_examples)"),
        broken(
            "v21",
            edit("shards.json", ": 1", ": 1, \"sha256\": \"\""),
            "shards.json: has keys that the original readers refuse: [sha256]"),
        broken(
            "v11",
            edit("shards.json", ": 1", ": 0"),
            "shards.json: counts 6 examples (expected 7",
            "shards.json: entry 3 is acts000003.bin with 0 examples (expected acts000003.bin with 1"
                + " examples)"),
        broken(
            "v11",
            edit("shards.json", ": 1", ": 3"),
            "shards.json: counts 9 examples, of which the first 7 are read",
            "shards.json: entry 3 is acts000003.bin with 3 examples"),
        broken(
            "v21",
            all(
                edit("shards.json", "acts000001", "x"),
                edit("shards.json", "acts000002", "acts000001"),
                edit("shards.json", "\"x.bin", "\"acts000002.bin")),
            "shards.json: entry 1 is acts000002.bin with 2 examples (expected acts000001.bin with 2"
                + " examples)",
            "shards.json: entry 2 is acts000001.bin with 2 examples (expected acts000002.bin with 2"
                + " examples)"),
        broken(
            "v100",
            write("shards.json", "[{\"name\": \"acts000000.bin\", \"n_imgs\": 7}]"),
            "shards.json: lists 1 files (expected 4)",
            "shards.json: entry 0 is acts000000.bin with 7 examples"),
        broken(
            "v21",
            edit("shards.json", "\n]", ", {\"name\": \"acts000004.bin\", \"n_examples\": 0}]"),
            "acts000004.bin: is missing, but shards.json lists it"),
        broken(
            "v20",
            all(
                edit("shards.json", "\n]", ", {\"name\": \"acts000004.bin\", \"n_examples\": 0}]"),
                length("acts000004.bin", 0)),
            "acts000004.bin: is empty, but shards.json lists it"),
        broken(
            "v100",
            all(length("acts000004.bin", FULL), length("acts000017.bin", FULL)),
            "acts000004.bin: belongs to no shard of the dataset (expected 4, as metadata.json says)",
            "acts000017.bin: belongs to no shard of the dataset"),
        broken(
            "v1",
            all(length("acts1.bin", FULL), length("acts0000001.bin", 5)),
            "acts0000001.bin: belongs to no shard",
            "acts1.bin: belongs to no shard"),
        broken(
            "v100",
            length("acts000005.examples.jsonl.gz", 40),
            "acts000005.examples.jsonl.gz: holds sample metadata of a data file that is not here"),
        broken("v11", length("labels.bin", 62), "labels.bin: has 62 bytes and is not read"),
        broken("v20", length("labels.bin", 0), "labels.bin: has 0 bytes and is not read"),
        broken(
            "v21", length("labels.bin", 70), "labels.bin: has 70 bytes and is not read (expected"),
        broken(
            "v100",
            edit("metadata.json", "\"dtype\"", "\"sha256\": \"x\", \"dtype\""),
            "metadata.json: has fields that the original readers refuse: [sha256]"),
        broken(
            "v100",
            edit("metadata.json", "\"1.0.0\"", "\"1.9\""),
            "metadata.json: protocol 1.9 is read as 1.0.0"),
        broken(
            "v21",
            edit("metadata.json", "\"2.1\"", "\"2.0\""),
            "metadata.json: protocol 2.0 is read as 2.1"),
        broken(
            "v21",
            edit("metadata.json", "\"2.1\"", "\"3.0\""),
            "metadata.json: breaking: protocol 3.0 is of an unknown major version"),
        broken(
            "v11-prefer-fg",
            edit("metadata.json", "\"prefer-fg\"", "\"most\""),
            "metadata.json: field pixel_agg is \"most\" (expected null, \"majority\" or"),
        broken(
            "v20",
            edit("metadata.json", "\"dataset\": \"", "\"dataset\": [], \"dataset_was\": \""),
            "metadata.json: has fields that the original readers refuse: [dataset_was]",
            "metadata.json: field dataset is [] (expected a string)"),
        broken(
            "v100",
            edit("metadata.json", "\"clip\"", "1"),
            "metadata.json: field vit_family is 1 (expected a string)"),
        broken(
            "v100",
            all(
                delete("acts000000.bin"),
                length("acts000001.bin", 1),
                length("acts000003.bin", 1920),
                length("acts000009.bin", 1),
                edit("shards.json", ": 1", ": 0"),
                length("labels.bin", 1),
                edit("metadata.json", "\"dtype\"", "\"x\": 1, \"dtype\"")),
            "acts000001.bin: has 1 bytes",
            "metadata.json: has fields",
            "shards.json: counts 6",
            "acts000003.bin: is shorter",
            "labels.bin: has 1 bytes",
            "acts000000.bin: is missing",
            "shards.json: entry 3",
            "acts000009.bin: belongs to no shard"));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void everyProblemIsFoundAndNamesItsFile(String name, Damage damage, List<String> expected)
      throws IOException {
    Path folder = write(GenerationsTest.metadata(name));
    damage.apply(folder);
    List<FormatException> problems = SaevCheck.of(new LocalFolder(folder)).problems();
    assertThat(problems).as("%s", problems).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(problems.get(i)).message().startsWith(folder + "/" + expected.get(i));
      assertThat(problems.get(i)).message().doesNotContain("\n");
    }
  }

  static Stream<Arguments> unusual() {
    return Stream.of(
        broken("v100", edit("metadata.json", "/data/imgs", "/x"), "the directory is not named by"),
        broken(
            "v1",
            edit("metadata.json", "    13,\n        21,", "    21,\n        13,"),
            "the directory is not named by",
            "layers [21, 13, 23] do not ascend or mix signs"),
        broken(
            "v100", length("acts000000.bin", 5000), "acts000000.bin has 5000 bytes, of which the"),
        broken(
            "v100", length("labels.bin", 63), "labels.bin lies here, which the original readers"),
        broken("v20pre", length("labels.bin", 70), "labels.bin has 70 bytes and is not read"),
        broken("v1", write("shards.json", "nonsense"), "files that no reader of the format knows"),
        broken(
            "v21",
            all(length("notes.txt", 1), length("acts", 1), length(".copy_complete", 0)),
            "files that no reader of the format knows lie here: [acts, notes.txt]"),
        broken(
            "v21",
            edit("metadata.json", "\"2.1\"", "\"1.1\""),
            "protocol 1.1 is read as 2.1",
            "the directory is not named by"),
        broken(
            "v100",
            edit("metadata.json", "\"clip\"", "\"eva\""),
            "the directory is not named by",
            "metadata.json field vit_family is \"eva\" (expected a family that saev knows"));
  }

  @ParameterizedTest
  @MethodSource("unusual")
  void whatDoesNoHarmIsAWarning(String name, Damage damage, List<String> expected)
      throws IOException {
    Path folder = write(GenerationsTest.metadata(name));
    damage.apply(folder);
    SaevCheck check = SaevCheck.of(new LocalFolder(folder));
    assertThat(check.problems()).isEmpty();
    assertThat(check.warnings()).as("%s", check.warnings()).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(check.warnings().get(i)).startsWith(expected.get(i));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prev1-model", "prev1-layers", "prev1-vit-family", "v1", "v1sep", "v100pre", "v100",
        "v100-without-dtype-and-protocol", "v11a", "v11", "v11-prefer-fg", "v20pre", "v20a", "v20",
        "v20orjson", "v21a-null", "v21", "v21-prefer-fg", "v21-reordered"
      })
  void aGoodDatasetOfAnyGenerationHasNoFindings(String name) throws IOException {
    SaevMetadata metadata = GenerationsTest.metadata(name);
    Path folder = write(metadata);
    assertNoFindings(folder);
    Files.write(folder.resolve("acts000001.examples.jsonl.gz"), new byte[] {1});
    Files.write(folder.resolve(".acts000001.bin.crc"), new byte[] {1});
    assertNoFindings(folder);
    if (metadata.generation().knowsLabels()) {
      Files.write(folder.resolve("labels.bin"), new byte[63]);
      assertNoFindings(folder);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v100", "v11", "v20", "v21"})
  void theEmptyShardThatTheOriginalWriterLeavesIsNoFinding(String name) throws IOException {
    Geometry even = new Geometry(6, List.of(13, 21, 23), 10, 16);
    SaevMetadata metadata = GenerationsTest.metadata(name).withGeometry(even);
    Path folder = write(metadata);
    assertNoFindings(folder);
    Files.write(folder.resolve("acts000003.bin"), new byte[FULL]);
    assertNoFindings(folder);
    if (metadata.generation().hasShardsJson()) {
      String key = metadata.generation().countKey();
      edit("shards.json", "\n]", ", {\"name\": \"acts000003.bin\", \"" + key + "\": 0}]")
          .apply(folder);
      assertNoFindings(folder);
    }
  }

  @Test
  void aListThatDiffersEverywhereIsNotShownInWhole() throws IOException {
    Geometry many = new Geometry(100, List.of(13, 21, 23), 10, 16);
    Path folder = write(GenerationsTest.metadata("v100").withGeometry(many));
    edit("shards.json", "\"acts", "\"bad").apply(folder);
    SaevCheck check = SaevCheck.of(new LocalFolder(folder));
    assertThat(check.problems()).hasSize(21);
    assertThat(check.problems().get(20))
        .hasMessage(folder + "/shards.json: differs in 30 more entries");
  }

  @Test
  void onlyTheClsTokenIsAWarning() throws IOException {
    Geometry cls = new Geometry(7, List.of(13, 21, 23), 1, 16);
    Path folder = write(GenerationsTest.metadata("v21").withGeometry(cls));
    SaevCheck check = SaevCheck.of(new LocalFolder(folder));
    assertThat(check.problems()).isEmpty();
    assertThat(check.warnings())
        .containsExactly(
            "contains no patches: the original ordered and shuffled loaders read nothing");
  }

  @Test
  void whereADatasetOfTwoOneLiesIsAWarning() throws IOException {
    SaevMetadata metadata = GenerationsTest.metadata("v21");
    Path elsewhere = write(metadata, temporary.resolve(metadata.hash()));
    SaevCheck check = SaevCheck.of(new LocalFolder(elsewhere));
    assertThat(check.problems()).isEmpty();
    assertThat(check.warnings()).singleElement().asString().contains("saev/shards");
  }

  @Test
  void theFixturesOfTheOriginalWriterHaveNoFindings() throws IOException {
    try (Stream<Path> files = Files.walk(Corpus.checkout().resolve("fixtures/saev"))) {
      List<Path> folders =
          files.filter(path -> path.endsWith("metadata.json")).map(Path::getParent).toList();
      assertThat(folders).isNotEmpty();
      for (Path folder : folders) {
        assertNoFindings(folder);
      }
    }
  }

  private static void assertNoFindings(Path folder) throws IOException {
    SaevCheck check = SaevCheck.of(new LocalFolder(folder));
    assertThat(check.problems()).isEmpty();
    assertThat(check.warnings()).isEmpty();
  }

  private Path write(SaevMetadata metadata) throws IOException {
    return write(metadata, temporary.resolve("saev/shards").resolve(metadata.hash()));
  }

  private static Path write(SaevMetadata metadata, Path folder) throws IOException {
    Files.createDirectories(folder);
    InventedFiles.write(new SaevWritePlan(metadata, Tail.FULL), new LocalFolder(folder));
    return folder;
  }

  private static Arguments broken(String name, Damage damage, String... expected) {
    return Arguments.of(name, damage, List.of(expected));
  }

  private static Damage all(Damage... damages) {
    return folder -> {
      for (Damage damage : damages) {
        damage.apply(folder);
      }
    };
  }

  private static Damage delete(String name) {
    return folder -> Files.delete(folder.resolve(name));
  }

  private static Damage folder(String name) {
    return folder -> Files.createDirectory(folder.resolve(name));
  }

  private static Damage write(String name, String text) {
    return folder -> Files.writeString(folder.resolve(name), text);
  }

  private static Damage rename(String name, String key) {
    return edit(name, "\"" + key + "\"", "\"other\"");
  }

  private static Damage length(String name, long length) {
    return folder -> {
      try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
        file.setLength(length);
      }
    };
  }

  private static Damage edit(String name, String from, String to) {
    return folder -> {
      String text = Files.readString(folder.resolve(name));
      assertThat(text).contains(from);
      Files.writeString(folder.resolve(name), text.replace(from, to));
    };
  }
}
