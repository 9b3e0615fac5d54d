package org.saevhadoop.format.pickleshards.directory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Output;

class ManifestWriterTest {
  private static final String THEN = "2026-02-03T04:05:06.789";
  private static final ExtractionConfig UNKNOWN = new ExtractionConfig(null, null, null, THEN);

  @TempDir Path folder;

  @Test
  void whatIsNotKnownIsReportedAsUnknown() throws IOException {
    List<ShardFacts> shards = List.of(shard(7, 5), shard(12345, 3));
    JsonNode json = write(ManifestWriter.spec(shards, 8, UNKNOWN));
    assertThat(json.at("/shards/0/shard_id").intValue()).isEqualTo(7);
    assertThat(json.at("/shards/1/shard_id").intValue()).isEqualTo(12345);
    assertThat(json.get("created_at").textValue()).isEqualTo(THEN);
    assertThat(json.get("extraction_config").toString())
        .isEqualTo(
            "{\"model_name\":\"unknown\",\"model_architecture\":null,"
                + "\"model_params\":{\"hidden_size\":16},\"dataset_name\":\"unknown\","
                + "\"max_seq_length\":7,\"layers_extracted\":[3,15]}");
    assertThat(json.has("distributed_config")).isFalse();
    assertThat(json.at("/statistics/extraction_duration_seconds").isNull()).isTrue();
    assertThat(json.at("/shards/1/num_samples").intValue()).isEqualTo(3);
  }

  @Test
  void theConfigOfASourceTravelsButForTheLayersThatWereLeftOut() throws IOException {
    ObjectNode config = new ObjectMapper().createObjectNode();
    config.put("model_name", "Qwen/Qwen2.5-7B \u00e9\ud83d\ude00\ud800").put("lr", 1e-5);
    config.putArray("layers_extracted").add(1).add(3).add(15);
    config.putObject("empty").putArray("list");
    config.put("none", Double.NaN);
    ExtractionConfig extraction = new ExtractionConfig(config, config, 0.25, THEN);
    String text = text(ManifestWriter.spec(List.of(shard(1, 2)), 2, extraction));
    assertThat(text)
        .contains("\"lr\": 1e-05,")
        .contains("\"none\": NaN")
        .contains("\"model_name\": \"Qwen/Qwen2.5-7B \\u00e9\\ud83d\\ude00\\ud800\"")
        .contains("\"empty\": {\n      \"list\": []\n    }")
        .contains("\"extraction_duration_seconds\": 0.25");
    JsonNode layers =
        ActivationManifest.read(new LocalFolder(folder))
            .extractionConfig()
            .orElseThrow()
            .get("layers_extracted");
    assertThat(layers.toString()).isEqualTo("[3,15]");
  }

  @Test
  void bothFormsAreReadBackWithoutADifference() throws IOException {
    List<ShardFacts> shards = List.of(shard(1, 5), shard(2, 5), shard(12345, 1), shard(12346, 0));
    text(ManifestWriter.spec(shards, 11, UNKNOWN));
    assertThat(ManifestCheck.all(ActivationManifest.read(new LocalFolder(folder)), shards))
        .isEmpty();
    Files.delete(folder.resolve("metadata.json"));
    text(ManifestWriter.real(shards, 11, "/data/out", "activations", 1 << 30));
    assertThat(ManifestCheck.all(ActivationManifest.read(new LocalFolder(folder)), shards))
        .isEmpty();
  }

  @Test
  void aManifestOfManyShardsIsWrittenInPiecesAndReadBack() throws IOException {
    List<ShardFacts> shards = new ArrayList<>();
    for (int i = 1; i <= 20_000; i++) {
      shards.add(shard(i, 1));
    }
    text(ManifestWriter.spec(shards, 20_000, UNKNOWN));
    List<ManifestEntry> read = ActivationManifest.read(new LocalFolder(folder)).shards();
    assertThat(read).hasSize(20_000);
    assertThat(read.get(19_999).filename()).isEqualTo("shard_20000.pkl.gz");
    assertThat(read.get(7).layers()).isSameAs(read.get(9).layers());
  }

  private JsonNode write(Document document) throws IOException {
    return new ObjectMapper().readTree(text(document));
  }

  private String text(Document document) throws IOException {
    return write(folder, document);
  }

  /** Writes a document and returns its text. */
  static String write(Path folder, Document document) throws IOException {
    try (Output out = new LocalFolder(folder).create(document.name())) {
      document.content().accept(out);
    }
    return Files.readString(folder.resolve(document.name()));
  }

  private static ShardFacts shard(int number, long samples) {
    TreeMap<Integer, Long> layers = new TreeMap<>(Map.of(15, samples, 3, samples));
    long first = 100L * number;
    return new ShardFacts(
        String.format("shard_%04d.pkl.gz", number),
        1000 + number,
        "0123456789abcdef".repeat(4),
        true,
        layers,
        samples,
        first,
        Math.max(first, first + samples - 1),
        2 * samples * 7 * 16 * 4,
        7,
        16);
  }
}
