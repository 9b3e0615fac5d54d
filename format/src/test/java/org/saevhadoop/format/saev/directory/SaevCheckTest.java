package org.saevhadoop.format.saev.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.saev.metadata.GenerationsTest;
import org.saevhadoop.format.saev.metadata.SaevError;
import org.saevhadoop.format.saev.metadata.SaevMetadata;

/** Seven examples in shards of two, of which something is wrong. */
class SaevCheckTest {
  private static final int FULL = 3840;

  @TempDir Path temporary;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          v100 | delete metadata.json | MISSING_FILE metadata.json
          v100 | write metadata.json { | BAD_JSON metadata.json
          v100 | write metadata.json [] | BAD_METADATA metadata.json
          v100 | write metadata.json {} | BAD_METADATA metadata.json
          v100 | edit metadata.json "n_imgs" => "other" | MISSING_FIELD metadata.json
          v100 | edit metadata.json float32 => float16 | BAD_FIELD metadata.json
          v100 | edit metadata.json "n_imgs": 7 => "n_imgs": 2000000000 | BAD_METADATA metadata.json; BAD_SHARD_LIST shards.json
          v100 | delete acts000001.bin | MISSING_FILE acts000001.bin
          v100 | delete acts000000.bin; delete acts000002.bin; delete acts000003.bin | MISSING_FILE acts000000.bin; MISSING_FILE acts000002.bin
          v20 | delete acts000001.bin; folder acts000001.bin | MISSING_FILE acts000001.bin
          v21 | length acts000000.bin 0 | BAD_SHARD acts000000.bin
          v1 | length acts000001.bin 3839 | BAD_SHARD acts000001.bin
          v1 | length acts000003.bin 1919 | BAD_SHARD acts000003.bin
          v1 | length acts000003.bin 1920 | BAD_SHARD acts000003.bin
          v100 | delete shards.json | BAD_SHARD_LIST shards.json
          v100 | write shards.json {} | BAD_SHARD_LIST shards.json
          v100 | write shards.json [[]] | BAD_SHARD_LIST shards.json
          v100 | write shards.json [{}] | BAD_FIELD shards.json
          v20 | edit shards.json : 1 => : -1 | BAD_FIELD shards.json
          v20 | edit shards.json n_examples => n_imgs | BAD_SHARD_LIST shards.json
          v21 | edit shards.json : 1 => : 1, "sha256": "" | BAD_SHARD_LIST shards.json
          v11 | edit shards.json : 1 => : 0 | BAD_SHARD_LIST shards.json; BAD_SHARD_LIST shards.json
          v11 | edit shards.json : 1 => : 3 | BAD_SHARD_LIST shards.json; BAD_SHARD_LIST shards.json
          v21 | edit shards.json acts000001 => x; edit shards.json acts000002 => acts000001; edit shards.json "x.bin => "acts000002.bin | BAD_SHARD_LIST shards.json; BAD_SHARD_LIST shards.json
          v100 | write shards.json [{"name": "acts000000.bin", "n_imgs": 7}] | BAD_SHARD_LIST shards.json; BAD_SHARD_LIST shards.json
          v21 | edit shards.json ] => , {"name": "acts000004.bin", "n_examples": 0}] | BAD_SHARD_LIST acts000004.bin
          v20 | edit shards.json ] => , {"name": "acts000004.bin", "n_examples": 0}]; length acts000004.bin 0 | BAD_SHARD_LIST acts000004.bin
          v100 | length acts000004.bin 3840; length acts000017.bin 3840 | ORPHAN_FILE acts000004.bin; ORPHAN_FILE acts000017.bin
          v1 | length acts1.bin 3840; length acts0000001.bin 5 | ORPHAN_FILE acts0000001.bin; ORPHAN_FILE acts1.bin
          v100 | length acts000005.examples.jsonl.gz 40 | ORPHAN_FILE acts000005.examples.jsonl.gz
          v11 | length labels.bin 62 | BAD_LABELS labels.bin
          v20 | length labels.bin 0 | BAD_LABELS labels.bin
          v21 | length labels.bin 70 | BAD_LABELS labels.bin
          v100 | edit metadata.json "dtype" => "sha256": "x", "dtype" | BAD_METADATA metadata.json
          v100 | edit metadata.json "1.0.0" => "1.9" | BAD_METADATA metadata.json
          v21 | edit metadata.json "2.1" => "2.0" | BAD_METADATA metadata.json
          v21 | edit metadata.json "2.1" => "3.0" | BAD_METADATA metadata.json
          v11-prefer-fg | edit metadata.json "prefer-fg" => "most" | BAD_METADATA metadata.json
          v20 | edit metadata.json "dataset": " => "dataset": [], "dataset_was": " | BAD_METADATA metadata.json; BAD_METADATA metadata.json
          v100 | edit metadata.json "clip" => 1 | BAD_METADATA metadata.json
          v100 | delete acts000000.bin; length acts000001.bin 1; length acts000003.bin 1920; length acts000009.bin 1; edit shards.json : 1 => : 0; length labels.bin 1; edit metadata.json "dtype" => "x": 1, "dtype" | BAD_SHARD acts000001.bin; BAD_METADATA metadata.json; BAD_SHARD_LIST shards.json; BAD_SHARD acts000003.bin; BAD_LABELS labels.bin; MISSING_FILE acts000000.bin; BAD_SHARD_LIST shards.json; ORPHAN_FILE acts000009.bin
          """)
  void everyProblemIsFoundAndNamesItsFile(String name, String damage, String expected)
      throws IOException {
    Path folder = write(GenerationsTest.metadata(name));
    SaevFolders.damage(folder, damage);
    List<FormatException> problems = SaevCheck.of(new LocalFolder(folder)).problems();
    assertThat(problems)
        .extracting(problem -> problem.kind() + " " + folder.relativize(Path.of(problem.path())))
        .containsExactly(expected.split("; "));
    for (FormatException problem : problems) {
      assertError(problem.kind(), problem.path(), problem);
      assertThat(problem).hasMessageNotContaining("\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          v100 | edit metadata.json /data/imgs => /x | the directory is not named by
          v1 | edit metadata.json 13, => 22,; edit metadata.json 21, => 13,; edit metadata.json 22, => 21, | the directory is not named by; layers [21, 13, 23] do not ascend or mix signs
          v100 | length acts000000.bin 5000 | acts000000.bin has 5000 bytes, but the
          v100 | length labels.bin 63 | labels.bin is present, but the original readers
          v20pre | length labels.bin 70 | labels.bin has 70 bytes and is not read
          v1 | write shards.json nonsense | has files that no reader of the format knows
          v21 | length notes.txt 1; length acts 1; length .copy_complete 0 | has files that no reader of the format knows: [acts, notes.txt]
          v21 | edit metadata.json "2.1" => "1.1" | protocol 1.1 is read as 2.1; the directory is not named by
          v100 | edit metadata.json "clip" => "eva" | the directory is not named by; metadata.json field vit_family is "eva" (expected a family that saev knows
          """)
  void whatDoesNoHarmIsAWarning(String name, String damage, String expected) throws IOException {
    Path folder = write(GenerationsTest.metadata(name));
    SaevFolders.damage(folder, damage);
    SaevCheck check = SaevCheck.of(new LocalFolder(folder));
    assertThat(check.problems()).isEmpty();
    assertThat(check.warnings())
        .zipSatisfy(
            List.of(expected.split("; ")),
            (warning, start) -> assertThat(warning).startsWith(start));
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
      SaevFolders.addEmptyEntry(folder, "acts000003.bin", metadata.generation().countKey());
      assertNoFindings(folder);
    }
  }

  @Test
  void aListThatDiffersEverywhereIsNotShownInWhole() throws IOException {
    Geometry many = new Geometry(100, List.of(13, 21, 23), 10, 16);
    Path folder = write(GenerationsTest.metadata("v100").withGeometry(many));
    SaevFolders.edit(folder.resolve("shards.json"), "\"acts", "\"bad");
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
    Path elsewhere = SaevFolders.write(metadata, temporary.resolve(metadata.hash()));
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
    return SaevFolders.write(metadata, temporary.resolve("saev/shards").resolve(metadata.hash()));
  }
}
