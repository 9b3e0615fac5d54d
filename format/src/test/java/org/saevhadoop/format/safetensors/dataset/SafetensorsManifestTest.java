package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;
import static org.saevhadoop.format.safetensors.header.SafetensorsFiles.floats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.json.JsonError;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.header.TensorSpec;

/** The manifest of a dataset and the files that it lists. */
class SafetensorsManifestTest extends WrittenSafetensors {
  @Test
  void theManifestIsTheOneThatItsOwnToolsWrite() throws IOException {
    BatchWritePlan target =
        WrittenBatches.plan(
            new Geometry(3, List.of(9, 10), 4, 5), Columns.LAYERS, 2, Provenance.NONE);
    InventedFiles.write(target, new LocalFolder(folder));
    String first = target.shard(0).name();
    String second = target.shard(1).name();
    long firstBytes = Files.size(folder.resolve(first));
    long secondBytes = Files.size(folder.resolve(second));
    assertThat(Files.readString(folder.resolve("dataset_manifest.json")))
        .isEqualToNormalizingNewlines(
            """
            {
              "format_version" : "1.0",
              "safetensors_version" : "1.0",
              "total_samples" : 3,
              "total_bytes" : %d,
              "shards" : [ {
                "shard_path" : "%s",
                "samples_count" : 2,
                "bytes" : %d
              }, {
                "shard_path" : "%s",
                "samples_count" : 1,
                "bytes" : %d
              } ],
              "schema" : {
                "layer_10" : {
                  "dtype" : "F32",
                  "shape" : [ 2, 4, 5 ]
                },
                "layer_9" : {
                  "dtype" : "F32",
                  "shape" : [ 2, 4, 5 ]
                }
              }
            }"""
                .formatted(firstBytes + secondBytes, first, firstBytes, second, secondBytes));
    assertThat(first).isLessThan(second);
  }

  @Test
  void aMissingPartIsNamed() throws IOException {
    write(Columns.LAYERS, 3);
    Path part = part(1);
    Files.delete(part);
    assertFails(TensorDatasetError.MISSING_FILE, part, this::open);
    Files.delete(folder.resolve(SafetensorsTable.MANIFEST));
    assertFails(TensorDatasetError.MISSING_FILE, part(1), this::open);
  }

  @Test
  void aPartOfTheWrongSizeIsNamedWithBothLengths() throws IOException {
    write(Columns.ACTS, 3);
    setLength(part(1), Files.size(part(1)) - 1);
    assertFails(TensorDatasetError.BAD_MANIFEST, part(1), this::open);
  }

  @Test
  void anOrphanIsNotReadAndIsAWarning() throws IOException {
    write(Columns.LAYERS, 3);
    Files.write(folder.resolve("part-00000-left-over.safetensors"), new byte[0]);
    SafetensorsDataset dataset = open();
    assertThat(dataset.warnings())
        .containsExactly(
            "files that dataset_manifest.json does not list are not read:"
                + " [part-00000-left-over.safetensors]");
    assertSameVectors(dataset, GEOMETRY);
  }

  @Test
  void aPartOfOtherColumnsIsRefusedWhenItIsRead() throws IOException {
    BatchWritePlan layers = plan(Columns.LAYERS, 4);
    BatchWritePlan acts = plan(Columns.ACTS, 4);
    InventedFiles.writeShard(layers, 0, new LocalFolder(folder));
    InventedFiles.writeShard(acts, 1, new LocalFolder(folder));
    manifestOf(entry(layers.shard(0).name(), 4), entry(acts.shard(1).name(), 3));
    SafetensorsDataset dataset = open();
    assertFails(
        TensorDatasetError.FILES_DISAGREE,
        folder.resolve(acts.shard(1).name()),
        () -> assertSameVectors(dataset, GEOMETRY));
  }

  @Test
  void aPartOfOtherExamplesThanTheManifestHasIsRefusedWhenItIsRead() throws IOException {
    BatchWritePlan target = plan(Columns.LAYERS, 4);
    InventedFiles.writeShard(target, 0, new LocalFolder(folder));
    InventedFiles.writeShard(target, 1, new LocalFolder(folder));
    manifestOf(entry(target.shard(0).name(), 3), entry(target.shard(1).name(), 4));
    SafetensorsDataset dataset = open();
    assertFails(
        TensorDatasetError.FILES_DISAGREE,
        folder.resolve(target.shard(0).name()),
        () -> assertSameVectors(dataset, GEOMETRY));
  }

  @Test
  void aManifestThatCountsOtherExamplesThanTheFilesHaveIsRefused() throws IOException {
    BatchWritePlan target = plan(Columns.LAYERS, 7);
    InventedFiles.writeShard(target, 0, new LocalFolder(folder));
    manifestOf(entry(target.shard(0).name(), 8));
    assertFails(TensorDatasetError.MISSING_FILE, folder, this::open);
  }

  @Test
  void aManifestMayListNothingButFilesWithoutExamples() throws IOException {
    TensorSpec none = floats("layer_1", 0, 3, 4);
    writeTensors("a.safetensors", List.of(none), Map.of());
    manifestOf(entry("a.safetensors", 0));
    assertThat(open().geometry()).isEqualTo(new Geometry(0, List.of(1), 3, 4));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{'format_version': '1.0', 'shards': []} {}",
        "{'format_version': '2.0'}",
        "{'format_version': 1.0}",
        "{'format_version': null}",
        "{'shards': [PART]}",
        "{'format_version': '1.0'}",
        "{'shards': {}}",
        "{'shards': null}",
        "{'shards': [3]}",
        "{'shards': [PART, []]}",
        "{'shards': [{}]}",
        "{'shards': [{'shard_path': 3, 'samples_count': 1, 'bytes': 1}]}",
        "{'shards': [{'shard_path': 'a', 'samples_count': '1', 'bytes': 1}]}",
        "{'shards': [{'shard_path': 'a', 'samples_count': 1.0, 'bytes': 1}]}",
        "{'shards': [{'shard_path': 'a', 'samples_count': -1, 'bytes': 1}]}",
        "{'shards': [{'shard_path': 'a', 'samples_count': 1}]}",
        "{'shards': [{'shard_path': 'a', 'samples_count': 1, 'bytes': -1}]}",
        "{'shards': [{'shard_path': 'a', 'samples_count': 1, 'bytes': 1e3}]}"
      })
  void aBrokenManifestIsRefusedWithItsFault(String text) throws IOException {
    write(Columns.LAYERS, 7);
    manifest(text.replace("PART", entry(part(0), 7)).replace('\'', '"'));
    assertFails(TensorDatasetError.BAD_MANIFEST, SafetensorsTable.MANIFEST, this::open);
  }

  /** The text is Jackson's, and of its version. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{\"shards\": []} x",
        "{\"shards\": [{\"shard_path\": \"a\", \"samples_count\": 99999999999999999999}]}"
      })
  void aManifestThatIsNoJsonIsRefused(String text) throws IOException {
    manifest(text);
    assertFailsWithAnyText(TensorDatasetError.BAD_MANIFEST, SafetensorsTable.MANIFEST, this::open);
  }

  @Test
  void aPartThatIsListedTwiceIsNamed() throws IOException {
    write(Columns.LAYERS, 7);
    String entry = entry(part(0), 7);
    manifestOf(entry, entry);
    assertFails(TensorDatasetError.BAD_MANIFEST, part(0), this::open);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", "/etc/passwd", "..", "../a", ".hidden", "a\\\\b"})
  void aShardPathThatIsNoPlainFileNameIsRefused(String name) throws IOException {
    manifest(
        "{\"format_version\": \"1.0\", \"shards\": [{\"shard_path\": \"%s\", \"samples_count\": 1,"
                .formatted(name)
            + " \"bytes\": 1}]}");
    assertFails(TensorDatasetError.BAD_MANIFEST, SafetensorsTable.MANIFEST, this::open);
  }

  @Test
  void countsThatAddUpToMoreThanALongAreRefused() throws IOException {
    write(Columns.LAYERS, 4);
    manifestOf(entry(part(0), Long.MAX_VALUE), entry(part(1), Long.MAX_VALUE));
    assertFails(TensorDatasetError.TOO_LARGE, folder, this::open);
  }

  @Test
  void countsThatMakeMoreBytesThanALongAreRefused() throws IOException {
    write(Columns.LAYERS, 7);
    manifestOf(entry(part(0), Long.MAX_VALUE));
    assertFails(TensorDatasetError.MISSING_FILE, folder, this::open);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "{\"schema\": %s", "{\"shards\": [%s", "{\"shards\": [{\"a\": %s"})
  void aManifestNestedWithoutEndIsRefusedAndNoStackOverflows(String start) throws IOException {
    manifest(start.formatted("[".repeat(100_000)));
    assertFails(JsonError.LIMIT_EXCEEDED, SafetensorsTable.MANIFEST, this::open);
  }

  @Test
  void anyBytesAreAManifestOrABadOne() {
    Random random = new Random(5);
    byte[] valid =
        "{\"format_version\": \"1.0\", \"shards\": [{\"shard_path\": \"a\", \"samples_count\": 1}]}"
            .getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 3000; i++) {
      byte[] bytes = valid.clone();
      int changes = 1 + random.nextInt(4);
      for (int c = 0; c < changes; c++) {
        // often at the beginning, where the encoding is guessed
        bytes[random.nextInt(random.nextBoolean() ? 4 : bytes.length)] = (byte) random.nextInt();
      }
      refuse(bytes);
    }
    // a byte order mark of an UCS-4 that nobody supports
    refuse(new byte[] {0, 0, (byte) 0xff, (byte) 0xfe, 0, 0, 0, 0});
  }
}
