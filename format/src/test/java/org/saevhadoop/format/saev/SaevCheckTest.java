package org.saevhadoop.format.saev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertError;

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
import org.saevhadoop.format.saev.metadata.SaevError;
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
        broken("v100", delete("metadata.json"), "MISSING_FILE metadata.json"),
        broken("v100", write("metadata.json", "{"), "BAD_JSON metadata.json"),
        broken("v100", write("metadata.json", "[]"), "BAD_METADATA metadata.json"),
        broken("v100", write("metadata.json", "{}"), "BAD_METADATA metadata.json"),
        broken("v100", rename("metadata.json", "n_imgs"), "MISSING_FIELD metadata.json"),
        broken("v100", edit("metadata.json", "float32", "float16"), "BAD_FIELD metadata.json"),
        broken(
            "v100",
            edit("metadata.json", "\"n_imgs\": 7", "\"n_imgs\": 2000000000"),
            "BAD_METADATA metadata.json",
            "BAD_SHARD_LIST shards.json"),
        broken("v100", delete("acts000001.bin"), "MISSING_FILE acts000001.bin"),
        broken(
            "v100",
            all(delete("acts000000.bin"), delete("acts000002.bin"), delete("acts000003.bin")),
            "MISSING_FILE acts000000.bin",
            "MISSING_FILE acts000002.bin"),
        broken(
            "v20",
            all(delete("acts000001.bin"), folder("acts000001.bin")),
            "MISSING_FILE acts000001.bin"),
        broken("v21", length("acts000000.bin", 0), "BAD_SHARD acts000000.bin"),
        broken("v1", length("acts000001.bin", 3839), "BAD_SHARD acts000001.bin"),
        broken("v1", length("acts000003.bin", 1919), "BAD_SHARD acts000003.bin"),
        broken("v1", length("acts000003.bin", 1920), "BAD_SHARD acts000003.bin"),
        broken("v100", delete("shards.json"), "BAD_SHARD_LIST shards.json"),
        broken("v100", write("shards.json", "{}"), "BAD_SHARD_LIST shards.json"),
        broken("v100", write("shards.json", "[[]]"), "BAD_SHARD_LIST shards.json"),
        broken("v100", write("shards.json", "[{}]"), "BAD_FIELD shards.json"),
        broken("v20", edit("shards.json", ": 1", ": -1"), "BAD_FIELD shards.json"),
        broken("v20", edit("shards.json", "n_examples", "n_imgs"), "BAD_SHARD_LIST shards.json"),
        broken(
            "v21",
            edit("shards.json", ": 1", ": 1, \"sha256\": \"\""),
            "BAD_SHARD_LIST shards.json"),
        broken(
            "v11",
            edit("shards.json", ": 1", ": 0"),
            "BAD_SHARD_LIST shards.json",
            "BAD_SHARD_LIST shards.json"),
        broken(
            "v11",
            edit("shards.json", ": 1", ": 3"),
            "BAD_SHARD_LIST shards.json",
            "BAD_SHARD_LIST shards.json"),
        broken(
            "v21",
            all(
                edit("shards.json", "acts000001", "x"),
                edit("shards.json", "acts000002", "acts000001"),
                edit("shards.json", "\"x.bin", "\"acts000002.bin")),
            "BAD_SHARD_LIST shards.json",
            "BAD_SHARD_LIST shards.json"),
        broken(
            "v100",
            write("shards.json", "[{\"name\": \"acts000000.bin\", \"n_imgs\": 7}]"),
            "BAD_SHARD_LIST shards.json",
            "BAD_SHARD_LIST shards.json"),
        broken(
            "v21",
            edit("shards.json", "\n]", ", {\"name\": \"acts000004.bin\", \"n_examples\": 0}]"),
            "BAD_SHARD_LIST acts000004.bin"),
        broken(
            "v20",
            all(
                edit("shards.json", "\n]", ", {\"name\": \"acts000004.bin\", \"n_examples\": 0}]"),
                length("acts000004.bin", 0)),
            "BAD_SHARD_LIST acts000004.bin"),
        broken(
            "v100",
            all(length("acts000004.bin", FULL), length("acts000017.bin", FULL)),
            "ORPHAN_FILE acts000004.bin",
            "ORPHAN_FILE acts000017.bin"),
        broken(
            "v1",
            all(length("acts1.bin", FULL), length("acts0000001.bin", 5)),
            "ORPHAN_FILE acts0000001.bin",
            "ORPHAN_FILE acts1.bin"),
        broken(
            "v100",
            length("acts000005.examples.jsonl.gz", 40),
            "ORPHAN_FILE acts000005.examples.jsonl.gz"),
        broken("v11", length("labels.bin", 62), "BAD_LABELS labels.bin"),
        broken("v20", length("labels.bin", 0), "BAD_LABELS labels.bin"),
        broken("v21", length("labels.bin", 70), "BAD_LABELS labels.bin"),
        broken(
            "v100",
            edit("metadata.json", "\"dtype\"", "\"sha256\": \"x\", \"dtype\""),
            "BAD_METADATA metadata.json"),
        broken("v100", edit("metadata.json", "\"1.0.0\"", "\"1.9\""), "BAD_METADATA metadata.json"),
        broken("v21", edit("metadata.json", "\"2.1\"", "\"2.0\""), "BAD_METADATA metadata.json"),
        broken("v21", edit("metadata.json", "\"2.1\"", "\"3.0\""), "BAD_METADATA metadata.json"),
        broken(
            "v11-prefer-fg",
            edit("metadata.json", "\"prefer-fg\"", "\"most\""),
            "BAD_METADATA metadata.json"),
        broken(
            "v20",
            edit("metadata.json", "\"dataset\": \"", "\"dataset\": [], \"dataset_was\": \""),
            "BAD_METADATA metadata.json",
            "BAD_METADATA metadata.json"),
        broken("v100", edit("metadata.json", "\"clip\"", "1"), "BAD_METADATA metadata.json"),
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
            "BAD_SHARD acts000001.bin",
            "BAD_METADATA metadata.json",
            "BAD_SHARD_LIST shards.json",
            "BAD_SHARD acts000003.bin",
            "BAD_LABELS labels.bin",
            "MISSING_FILE acts000000.bin",
            "BAD_SHARD_LIST shards.json",
            "ORPHAN_FILE acts000009.bin"));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void everyProblemIsFoundAndNamesItsFile(String name, Damage damage, List<String> expected)
      throws IOException {
    Path folder = write(GenerationsTest.metadata(name));
    damage.apply(folder);
    List<FormatException> problems = SaevCheck.of(new LocalFolder(folder)).problems();
    assertThat(problems)
        .extracting(problem -> problem.kind() + " " + folder.relativize(Path.of(problem.path())))
        .isEqualTo(expected);
    for (FormatException problem : problems) {
      assertError(problem.kind(), problem.path(), problem);
      assertThat(problem).hasMessageNotContaining("\n");
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
        broken("v100", length("labels.bin", 63), "labels.bin is present, but the original readers"),
        broken("v20pre", length("labels.bin", 70), "labels.bin has 70 bytes and is not read"),
        broken("v1", write("shards.json", "nonsense"), "files that no reader of the format knows"),
        broken(
            "v21",
            all(length("notes.txt", 1), length("acts", 1), length(".copy_complete", 0)),
            "files that no reader of the format knows are here: [acts, notes.txt]"),
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
    assertError(SaevError.BAD_SHARD_LIST, folder.resolve("shards.json"), check.problems().get(20));
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
  void aDatasetOfTwoOneOutsideOfItsFolderIsAWarning() throws IOException {
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
