package org.saevhadoop.format.saev.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.saev.metadata.GenerationsTest;
import org.saevhadoop.format.saev.metadata.HashRule;
import org.saevhadoop.format.saev.metadata.SaevError;
import org.saevhadoop.format.saev.metadata.SaevMetadata;

/** What writers of all generations leave behind, and what becomes of it on the way to us. */
class SaevDatasetQuirksTest {
  private static final Geometry EVEN = new Geometry(6, List.of(13, 21, 23), 10, 16);
  private static final int FULL = 3840;

  @TempDir Path temporary;

  @ParameterizedTest
  @ValueSource(
      strings = {"v1", "v1sep", "v100pre", "v11a", "v11", "v20pre", "v20a", "v20", "v20orjson"})
  void aDatasetOfAnyGenerationWhoseLastFileIsFullOfZerosIsReadInWhole(String name)
      throws IOException {
    SaevMetadata metadata = GenerationsTest.metadata(name);
    Path folder = inShards(metadata);
    assertThat(Files.size(folder.resolve("acts000003.bin"))).isEqualTo(FULL);
    SaevDataset dataset = open(folder);
    assertThat(dataset.warnings()).isEmpty();
    assertThat(dataset.hashMatches()).isTrue();
    assertAllThere(dataset);
  }

  @ParameterizedTest
  @CsvSource({"v21a-null, 0", "v21a-majority, 64", "v21, 8", "v21-reordered, 8"})
  void bothNamesOfTwoOneAreItsHash(String name, int digits) throws IOException {
    SaevMetadata metadata = GenerationsTest.metadata(name);
    String hash = digits == 64 ? HashRule.ORJSON.name(values(name)) : metadata.hash();
    Path folder = write(metadata, "saev/shards/" + hash);
    assertThat(open(folder).warnings()).isEmpty();
    assertThat(open(folder).hash()).isEqualTo(hash);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v100", "v11", "v20", "v21"})
  void theEmptyFileBehindAnEvenDivisionMayBeThereOrNot(String name) throws IOException {
    SaevMetadata metadata = GenerationsTest.metadata(name).withGeometry(EVEN);
    Path folder = inShards(metadata);
    SaevDataset absent = open(folder);
    assertThat(absent.warnings()).isEmpty();
    assertThat(absent.listedShards()).hasSize(3);

    Files.write(folder.resolve("acts000003.bin"), new byte[FULL]);
    SaevDataset fileOnly = open(folder);
    assertThat(fileOnly.warnings()).isEmpty();
    assertThat(fileOnly.shards()).hasSize(3);
    assertThat(fileOnly.listedShards()).last().isEqualTo(new Shard("acts000003.bin", 6, 0, FULL));

    if (metadata.generation().hasShardsJson()) {
      SaevFolders.addEmptyEntry(folder, "acts000003.bin", metadata.generation().countKey());
      assertThat(open(folder).warnings()).isEmpty();
      assertThat(open(folder).listedShards()).hasSize(4);
      Files.delete(folder.resolve("acts000003.bin"));
      SaevDataset entryOnly = open(folder);
      assertThat(entryOnly.warnings()).isEmpty();
      assertThat(entryOnly.listedShards()).last().isEqualTo(new Shard("acts000003.bin", 6, 0, -1));
      assertAllThere(entryOnly);
    }
  }

  @ParameterizedTest
  @CsvSource({"v100, n_imgs", "v20pre, n_ex", "v20, n_examples", "v21, n_examples"})
  void aWriterThatDiedAfterFiveOfSevenIsReportedByItsCounts(String name, String key)
      throws IOException {
    SaevMetadata metadata = GenerationsTest.metadata(name);
    Path folder = inShards(metadata);
    Files.delete(folder.resolve("acts000003.bin"));
    Files.writeString(
        folder.resolve("shards.json"),
        "[{\"name\": \"acts000000.bin\", \"%1$s\": 2}, {\"name\": \"acts000001.bin\", \"%1$s\": 2}]"
            .formatted(key));
    assertThat(inspect(folder).warnings())
        .containsExactlyInAnyOrder(
            "acts000003.bin is missing (expected a file with 1 example)",
            "shards.json counts 4 examples (expected 7, as in metadata.json): the writer did not"
                + " finish: in acts000002.bin, from example 4 on, activations cannot be distinguished from"
                + " zero padding (finish the run)");
    assertRefused(SaevError.MISSING_FILE, folder.resolve("acts000003.bin"));
    Files.write(folder.resolve("acts000003.bin"), new byte[FULL]);
    assertRefused(SaevError.BAD_SHARD, folder.resolve("shards.json"));
  }

  @Test
  void countsUnderTheNameOfAnotherGenerationAreCounts() throws IOException {
    SaevMetadata metadata = GenerationsTest.metadata("v20");
    Path folder = inShards(metadata);
    SaevFolders.edit(folder.resolve("shards.json"), "n_examples", "n_imgs");
    assertThat(open(folder).warnings()).isEmpty();
  }

  @Test
  void filesBeforeOneZeroZeroNeedNoListOfShards() throws IOException {
    for (String name : List.of("v1", "v1sep", "prev1-layers", "prev1-model")) {
      SaevMetadata metadata = GenerationsTest.metadata(name);
      Path folder = write(metadata, metadata.hash());
      Files.deleteIfExists(folder.resolve("shards.json"));
      assertThat(open(folder).warnings()).isEmpty();
    }
    // the last commits before 1.0.0 wrote one, with the same metadata
    Path ofShards = write(GenerationsTest.metadata("v1sep"), "shards");
    Files.writeString(
        ofShards.resolve("shards.json"), "[{\"name\": \"acts000000.bin\", \"n_imgs\": 2}]");
    assertRefused(SaevError.BAD_SHARD, ofShards.resolve("shards.json"));
    Path whole = write(GenerationsTest.metadata("v100"), "whole");
    Files.copy(
        whole.resolve("shards.json"),
        ofShards.resolve("shards.json"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(open(ofShards).warnings())
        .singleElement()
        .asString()
        .startsWith("the directory is not named");
  }

  @Test
  void editedMetadataIsReadWithAWarningThatNamesItsHash() throws IOException {
    SaevMetadata metadata = GenerationsTest.metadata("v100");
    Path folder = write(metadata, metadata.hash());
    SaevFolders.edit(folder.resolve("metadata.json"), "/data/imgs/train", "/elsewhere");
    SaevDataset dataset = open(folder);
    assertThat(dataset.hashMatches()).isFalse();
    assertThat(dataset.warnings())
        .singleElement()
        .asString()
        .startsWith("the directory is not named by the hash of its metadata, " + dataset.hash());
    assertAllThere(dataset);
  }

  @Test
  void metadataAloneIsInspectedAndNotOpened() throws IOException {
    Path folder = Files.createDirectories(temporary.resolve("alone"));
    Files.writeString(folder.resolve("metadata.json"), GenerationsTest.text("v100"));
    SaevDataset dataset = inspect(folder);
    assertThat(dataset.geometry().examples()).isEqualTo(7);
    assertThat(dataset.warnings())
        .first()
        .isEqualTo("acts000000.bin is missing, as are 3 more shards (expected 4 for 7 examples)");
    assertThat(dataset.warnings())
        .anyMatch(warning -> warning.startsWith("shards.json is missing, "));
    assertRefused(SaevError.MISSING_FILE, folder.resolve("acts000000.bin"));
  }

  @ParameterizedTest
  @CsvSource({
    "v100, false",
    "v11ren, true",
    "v20pre, true",
    "v20, true",
    "v21a-null, true",
    "v21, true"
  })
  void onlyTwoZeroAndLaterBelongIntoAFolderOfShards(String name, boolean belongs)
      throws IOException {
    SaevMetadata metadata = GenerationsTest.metadata(name);
    for (String place : List.of("", "saev/", "shards/", "saev/shards/x/", "Saev/shards/")) {
      Path outside = write(metadata, place + metadata.hash());
      assertThat(open(outside).warnings().stream().anyMatch(w -> w.contains("saev/shards")))
          .as(place)
          .isEqualTo(belongs);
    }
    Path inside = inShards(metadata);
    assertThat(open(inside).warnings()).noneMatch(warning -> warning.contains("saev/shards"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"v11a", "v11", "v20", "v20orjson", "v21"})
  void labelsAreOneByteAPatchWithoutTheClsToken(String name) throws IOException {
    SaevMetadata metadata = GenerationsTest.metadata(name);
    Path folder = inShards(metadata);
    assertThat(open(folder).hasLabels()).isFalse();
    byte[] labels = labels(7 * 9);
    Files.write(folder.resolve("labels.bin"), labels);
    SaevDataset dataset = open(folder);
    assertThat(dataset.warnings()).isEmpty();
    assertThat(dataset.hasLabels()).isTrue();
    try (PatchLabels open = dataset.openLabels()) {
      assertThat(open.patches()).isEqualTo(9);
      ByteBuffer two = ByteBuffer.allocate(18);
      open.read(5, two);
      assertThat(two.array()).isEqualTo(Arrays.copyOfRange(labels, 45, 63));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 62, 64, 70})
  void labelsOfAnotherSizeAreNotReadAndThatIsReported(int bytes) throws IOException {
    // 70 is 7 * T: so large 2.0's first commits made the file where there is a [CLS]
    SaevMetadata metadata = GenerationsTest.metadata("v20pre");
    Path folder = inShards(metadata);
    Files.write(folder.resolve("labels.bin"), labels(bytes));
    SaevDataset dataset = open(folder);
    assertThat(dataset.hasLabels()).isFalse();
    assertThat(dataset.warnings())
        .containsExactly(
            "labels.bin has " + bytes + " bytes and is not read (expected 63, one per patch)");
    assertThatThrownBy(dataset::openLabels).isInstanceOf(Exception.class);
    assertAllThere(dataset);
  }

  @Test
  void labelsOfAGenerationThatHasNoneAreReadWithAWarning() throws IOException {
    SaevMetadata metadata = GenerationsTest.metadata("v100");
    Path folder = write(metadata, metadata.hash());
    Files.write(folder.resolve("labels.bin"), labels(63));
    assertThat(open(folder).hasLabels()).isTrue();
    assertThat(open(folder).warnings())
        .containsExactly("labels.bin is present, but the original readers of 1.0.0 ignore it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v100", "v20", "v21"})
  void withoutExamplesThereIsAnEmptyFileOrNone(String name) throws IOException {
    SaevMetadata metadata =
        GenerationsTest.metadata(name).withGeometry(new Geometry(0, List.of(13, 21, 23), 10, 16));
    Path folder = inShards(metadata);
    assertThat(open(folder).warnings()).isEmpty();
    Files.write(folder.resolve("acts000000.bin"), new byte[FULL]);
    SaevDataset dataset = open(folder);
    assertThat(dataset.warnings()).isEmpty();
    assertThat(dataset.shards()).isEmpty();
    assertThat(dataset.listedShards()).containsExactly(new Shard("acts000000.bin", 0, 0, FULL));
  }

  @Test
  void sizesOfTerabytesAndBillionsOfShardsTakeNoMemory() throws IOException {
    Path folder = Files.createDirectories(temporary.resolve("large"));
    Path file = folder.resolve("metadata.json");
    String text = GenerationsTest.text("v100");
    Files.writeString(
        file,
        text.replace("\"n_imgs\": 7", "\"n_imgs\": 1000000000")
            .replace("\"d_vit\": 16", "\"d_vit\": 4096"));
    assertThat(inspect(folder).warnings())
        .contains(
            "metadata.json implies 500000000 shards, but only 1 file exists (expected a file for"
                + " each)");
    assertRefused(SaevError.BAD_SHARD, folder.resolve("metadata.json"));

    Files.writeString(
        file,
        text.replace("\"n_imgs\": 7", "\"n_imgs\": 10000000")
            .replace("\"d_vit\": 16", "\"d_vit\": 4096")
            .replace("\": 60", "\": 300000000"));
    Files.write(folder.resolve("acts000000.bin"), new byte[1]);
    assertThat(inspect(folder).warnings())
        .first()
        .isEqualTo(
            "acts000000.bin: has 1 byte, too short for its 10000000 examples (expected at least"
                + " 4915200000000)");
    assertRefused(SaevError.BAD_SHARD, folder.resolve("acts000000.bin"));
  }

  private Path inShards(SaevMetadata metadata) throws IOException {
    return write(metadata, "saev/shards/" + metadata.hash());
  }

  private Path write(SaevMetadata metadata, String name) throws IOException {
    return SaevFolders.write(metadata, temporary.resolve(name));
  }

  private static void assertAllThere(SaevDataset dataset) throws IOException {
    long examples = 0;
    try (BlockCursor cursor = SaevFolders.examples(dataset)) {
      while (cursor.next()) {
        assertThat(cursor.bytes()).isEqualTo(InventedFiles.example(dataset.geometry(), examples));
        examples++;
      }
    }
    assertThat(examples).isEqualTo(dataset.geometry().examples());
  }

  private static void assertRefused(SaevError kind, Path file) {
    assertThat(assertFails(kind, file, () -> open(file.getParent()))).hasMessageNotContaining("\n");
  }

  @SuppressWarnings("unchecked") // the objects of PythonJson have String keys
  private static Map<String, Object> values(String name) throws IOException {
    byte[] text = GenerationsTest.text(name).getBytes(StandardCharsets.UTF_8);
    return (Map<String, Object>) PythonJson.parse(name, text);
  }

  private static byte[] labels(int count) {
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) (255 - i);
    }
    return labels;
  }

  private static SaevDataset open(Path folder) throws IOException {
    return SaevDataset.open(new LocalFolder(folder));
  }

  private static SaevDataset inspect(Path folder) throws IOException {
    return SaevDataset.inspect(new LocalFolder(folder));
  }
}
