package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The facts of a good case's shards, from its expected.json. */
final class ExpectedShards {
  private static final Map<String, Integer> ITEM_BYTES = Map.of("bfloat16", 2, "float32", 4);

  private ExpectedShards() {}

  /**
   * @param directory below the case; empty for the case's own
   */
  static List<ShardFacts> of(Path expectedCase, String directory) throws IOException {
    JsonNode root = new ObjectMapper().readTree(expectedCase.resolve("expected.json").toFile());
    String prefix = directory.isEmpty() ? "" : directory + "/";
    List<ShardFacts> facts = new ArrayList<>();
    for (JsonNode shard : root.get("shards")) {
      String path = shard.get("filename").textValue();
      String name = path.substring(path.lastIndexOf('/') + 1);
      if (path.equals(prefix + name)) {
        facts.add(facts(name, shard));
      }
    }
    return facts;
  }

  private static ShardFacts facts(String name, JsonNode shard) {
    SortedMap<Integer, Long> counts = new TreeMap<>();
    SortedSet<Long> ids = new TreeSet<>();
    long arrayBytes = 0;
    long tokens = 0;
    for (JsonNode layer : shard.get("layers")) {
      counts.put(layer.get("layer").intValue(), layer.get("num_samples").longValue());
      for (JsonNode sample : layer.get("samples")) {
        ids.add(sample.get("sample_idx").longValue());
        long numbers = 1;
        for (JsonNode size : sample.get("shape")) {
          numbers *= size.longValue();
        }
        tokens = Math.max(tokens, sample.get("shape").path(0).longValue());
        arrayBytes += numbers * ITEM_BYTES.getOrDefault(sample.get("dtype").textValue(), 8);
      }
    }
    return new ShardFacts(
        name,
        shard.get("file_bytes").longValue(),
        shard.get("file_sha256").textValue(),
        shard.get("compressed").booleanValue(),
        counts,
        ids.size(),
        ids.isEmpty() ? 0 : ids.first(),
        ids.isEmpty() ? 0 : ids.last(),
        arrayBytes,
        tokens,
        0);
  }
}
