package org.saevhadoop.format.saev.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.json.JsonError;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration;
import org.saevhadoop.format.saev.metadata.SaevError;

class SaevDatasetTest {
  private static final String HASH =
      "213c9c09f2cf9c50c90a67b906932e80a999f9d0f779ea26f8362adc8b1f160b";

  @TempDir Path temporary;
  private Path folder;

  @BeforeEach
  void copyTheFixture() throws IOException {
    folder =
        InventedFiles.copy(
            Corpus.checkout().resolve("fixtures/saev").resolve(HASH), temporary.resolve(HASH));
  }

  @Test
  void anUntouchedFixtureHasNoWarnings() throws IOException {
    assertThat(SaevDataset.open(new LocalFolder(folder)).warnings()).isEmpty();
  }

  @Test
  void aMissingShardIsAnErrorThatNamesIt() throws IOException {
    Files.delete(folder.resolve("acts000002.bin"));
    assertRefused(SaevError.MISSING_FILE, folder.resolve("acts000002.bin"));
    SaevDataset dataset = SaevDataset.inspect(new LocalFolder(folder));
    assertThat(dataset.warnings())
        .containsExactly("acts000002.bin is missing (expected a file with 2 examples)");
    assertThat(dataset.listedShards()).extracting(Shard::bytes).contains(-1L);
  }

  @Test
  void aShardThatShrinksAfterTheDatasetIsOpenedIsAnErrorWhenItIsRead() throws IOException {
    SaevDataset dataset = SaevDataset.open(new LocalFolder(folder));
    SaevFolders.setLength(folder.resolve("acts000001.bin"), 100);
    assertFails(SaevError.BAD_SHARD, folder.resolve("acts000001.bin"), () -> readAll(dataset));
  }

  @Test
  void withoutMetadataThereIsNoDataset() throws IOException {
    Files.delete(folder.resolve("metadata.json"));
    assertRefused(FileError.NOT_FOUND, folder.resolve("metadata.json"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{\"layers\": [13,]}", "\u00ff", "nul"})
  void metadataThatIsNoJsonIsRefusedByName(String text) throws IOException {
    Files.write(folder.resolve("metadata.json"), text.getBytes(StandardCharsets.ISO_8859_1));
    assertRefused(JsonError.BAD_JSON, folder.resolve("metadata.json"));
  }

  @Test
  void shardsJsonThatIsNoJsonIsRefusedByName() throws IOException {
    Files.writeString(folder.resolve("shards.json"), "[");
    assertRefused(JsonError.BAD_JSON, folder.resolve("shards.json"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          length acts000001.bin 3839 | BAD_SHARD | acts000001.bin
          length acts000003.bin 1919 | BAD_SHARD | acts000003.bin
          edit metadata.json "n_imgs": 7 => "n_imgs": 2000000000 | BAD_SHARD | metadata.json
          write metadata.json [] | BAD_METADATA | metadata.json
          write shards.json {} | BAD_SHARD_LIST | shards.json
          write shards.json [1] | BAD_SHARD_LIST | shards.json
          write shards.json [{}] | BAD_FIELD | shards.json
          write shards.json [{"name": 3, "n_imgs": 1}] | BAD_FIELD | shards.json
          edit shards.json "n_imgs": 1 => "n_imgs": -1 | BAD_FIELD | shards.json
          edit shards.json "n_imgs": 1 => "n_imgs": 1.0 | BAD_FIELD | shards.json
          edit shards.json "n_imgs": 1 => "n_imgs": "1" | BAD_FIELD | shards.json
          edit shards.json "n_imgs": 1 => "n_imgs": null | BAD_FIELD | shards.json
          edit shards.json "n_imgs": 1 => "n_imgs": 99999999999999999999 | BAD_FIELD | shards.json
          edit shards.json "n_imgs": 1 => "n_imgs": true | BAD_FIELD | shards.json
          edit shards.json "n_imgs": 1 => "n_imgs": 9223372036854775802 | BAD_SHARD_LIST | shards.json
          """)
  void aBrokenDatasetIsRefusedByNameAndValue(String damage, SaevError kind, String file)
      throws IOException {
    SaevFolders.damage(folder, damage);
    assertRefused(kind, folder.resolve(file));
  }

  @Test
  void shardsJsonThatCountsLessThanMetadataReportsAnUnfinishedWriter() throws IOException {
    edit("shards.json", "\"n_imgs\": 1", "\"n_imgs\": 0");
    assertRefused(SaevError.BAD_SHARD, folder.resolve("shards.json"));
    assertThat(SaevDataset.inspect(new LocalFolder(folder)).warnings())
        .containsExactly(
            "shards.json counts 6 examples (expected 7, as in metadata.json): the writer did not"
                + " finish: in acts000003.bin, from example 6 on, activations cannot be distinguished from"
                + " zero padding (finish the run)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          length acts000003.bin 1920 | acts000003.bin has 1920 bytes, fewer than the 3840 that the original readers map (expected a full file: convert the dataset again, with --tail full)
          length acts000000.bin 5000 |
          edit shards.json "n_imgs": 1 => "n_imgs": 2 | shards.json counts 8 examples, but only the first 7 are read, as in metadata.json
          edit shards.json "n_imgs": 1 => "n_imgs": 9223372036854775801 | shards.json counts 9223372036854775807 examples, but only the first 7 are read, as in metadata.json
          write shards.json [{"name": "acts000000.bin", "n_imgs": 3}, {"name": "acts000001.bin", "n_imgs": 2}, {"name": "acts000002.bin", "n_imgs": 2}, {"name": "acts000003.bin", "n_imgs": 0}] | shards.json does not list the files that metadata.json implies
          delete shards.json | shards.json is missing, so it is unknown whether the writer finished
          length acts000004.bin 3840; length acts000005.bin 3840; length acts1000000.bin 3840 | has files of an earlier, longer run, which are not read: [acts000004.bin, acts000005.bin, acts1000000.bin]
          """)
  void anUnusualDatasetIsReadWithAWarning(String damage, String warning) throws IOException {
    SaevFolders.damage(folder, damage);
    SaevDataset dataset = SaevDataset.open(new LocalFolder(folder));
    assertThat(dataset.warnings()).isEqualTo(warning == null ? List.of() : List.of(warning));
    assertThat(readAll(dataset)).isEqualTo(7);
  }

  @Test
  void aLegacyDatasetNeedsNoShardsJson() throws IOException {
    Path legacy =
        Corpus.checkout()
            .resolve("fixtures/saev")
            .resolve("0e19f68c05c96a78746482a3ca33cf72dcbaefa907128a1b0da3b105fa750de9");
    SaevDataset dataset = SaevDataset.open(new LocalFolder(legacy));
    assertThat(dataset.metadata().generation()).isEqualTo(ProtocolGeneration.LEGACY);
    assertThat(dataset.hashMatches()).isTrue();
    assertThat(dataset.warnings()).isEmpty();
    // four examples in shards of two: the writer left an empty third one
    assertThat(dataset.shards()).hasSize(2);
    assertThat(dataset.listedShards()).last().isEqualTo(new Shard("acts000002.bin", 4, 0, 2560));
  }

  @Test
  void anEmptyTrailingShardBehindAnUnevenLastOneIsStaleUnlessItIsListed() throws IOException {
    // seven examples in shards of two: the writer itself leaves no fifth file
    Files.createFile(folder.resolve("acts000004.bin"));
    SaevDataset byFile = SaevDataset.open(new LocalFolder(folder));
    assertThat(byFile.listedShards()).hasSize(4);
    assertThat(byFile.warnings())
        .containsExactly(
            "has files of an earlier, longer run, which are not read: [acts000004.bin]");

    Files.delete(folder.resolve("acts000004.bin"));
    SaevFolders.addEmptyEntry(folder, "acts000004.bin", "n_imgs");
    SaevDataset byEntry = SaevDataset.open(new LocalFolder(folder));
    assertThat(byEntry.listedShards())
        .hasSize(5)
        .last()
        .isEqualTo(new Shard("acts000004.bin", 7, 0, -1));
    assertThat(byEntry.warnings()).isEmpty();
  }

  @Test
  void aRenamedFolderIsAWarningThatNamesTheHash() throws IOException {
    Path renamed = Files.move(folder, temporary.resolve("renamed"));
    SaevDataset dataset = SaevDataset.open(new LocalFolder(renamed));
    assertThat(dataset.hashMatches()).isFalse();
    assertThat(dataset.metadata().hash()).isEqualTo(HASH);
    assertThat(dataset.warnings()).singleElement().asString().contains("not named by", HASH);
  }

  @Test
  void foreignKeysAreAWarningThatNamesThem() throws IOException {
    edit("metadata.json", "\"dtype\"", "\"sha256\": \"x\",\n    \"dtype\"");
    assertThat(SaevDataset.open(new LocalFolder(folder)).warnings())
        .anyMatch(warning -> warning.endsWith("the original readers refuse: [sha256]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"21,13,23", "13,-2,-1", "-3,-2,0"})
  void layersThatTheRecorderMayHaveStoredOtherwiseAreAWarning(String layers) throws IOException {
    editLayers(layers);
    SaevDataset dataset = SaevDataset.open(new LocalFolder(folder));
    assertThat(dataset.geometry().layers()).hasToString("[" + layers.replace(",", ", ") + "]");
    assertThat(dataset.warnings())
        .anyMatch(warning -> warning.startsWith("layers " + dataset.geometry().layers()));
  }

  @Test
  void negativeLayersThatAscendAreNoWarning() throws IOException {
    editLayers("-3,-2,-1");
    assertThat(SaevDataset.open(new LocalFolder(folder)).warnings())
        .noneMatch(warning -> warning.startsWith("layers"));
  }

  @Test
  void aDatasetWithoutExamplesIsOpenedAndReadToItsEnd() throws IOException {
    edit("metadata.json", "\"n_imgs\": 7", "\"n_imgs\": 0");
    Files.writeString(
        folder.resolve("shards.json"), "[{\"name\": \"acts000000.bin\", \"n_imgs\": 0}]");
    for (int i = 1; i < 4; i++) {
      Files.delete(folder.resolve("acts00000" + i + ".bin"));
    }
    SaevDataset dataset = SaevDataset.open(new LocalFolder(folder));
    assertThat(dataset.shards()).isEmpty();
    assertThat(dataset.listedShards()).containsExactly(new Shard("acts000000.bin", 0, 0, 3840));
    assertThat(readAll(dataset)).isZero();
  }

  @Test
  void shardsOfMetadataThatClaimsABillionAreNotListed() throws IOException {
    SaevFolders.damage(folder, "edit metadata.json \"n_imgs\": 7 => \"n_imgs\": 2000000000");
    assertThat(SaevDataset.inspect(new LocalFolder(folder)).listedShards()).isEmpty();
  }

  private void assertRefused(ErrorKind kind, Path path) {
    assertFails(kind, path, () -> SaevDataset.open(new LocalFolder(folder)));
  }

  private void edit(String name, String from, String to) throws IOException {
    SaevFolders.edit(folder.resolve(name), from, to);
  }

  private void editLayers(String layers) throws IOException {
    String text = Files.readString(folder.resolve("metadata.json"));
    String changed = text.replaceFirst("\\[[^]]*]", "[" + layers + "]");
    assertThat(changed).isNotEqualTo(text);
    Files.writeString(folder.resolve("metadata.json"), changed);
  }

  private static long readAll(SaevDataset dataset) throws IOException {
    long examples = 0;
    try (BlockCursor cursor = SaevFolders.examples(dataset)) {
      while (cursor.next()) {
        assertThat(cursor.example()).isEqualTo(examples++);
      }
    }
    return examples;
  }
}
