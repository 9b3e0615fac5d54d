package org.saevhadoop.format.pickleshards.directory;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;

@Tag("late")
@Isolated
class ActivationManifestFuzzTest {
  @FuzzTest
  @DictionaryEntries({
    "\"version\"",
    "\"1.0\"",
    "\"shards\"",
    "\"filename\"",
    "\"shard_0001.pkl.gz\"",
    "\"size_bytes\"",
    "\"num_samples\"",
    "\"layers\"",
    "\"layer_1\"",
    "\"sample_id_range\"",
    "\"compressed\"",
    "\"checksum\"",
    "\"sha256:",
    "\"statistics\"",
    "\"extraction_config\"",
    "\"total_shards\"",
    "\"total_samples\"",
    "\"total_unique_samples\"",
    "\"samples_per_layer\"",
    "\"total_samples_in_shard\"",
    "\"file_size_mb\"",
    "\"gcs_path\"",
    "NaN",
    "-Infinity",
    "null"
  })
  void anyBytesAreReadOrRefusedInOneLine(byte[] text) throws IOException {
    ActivationManifest manifest;
    try {
      manifest = ActivationManifest.parse("fuzz", new ByteArrayInputStream(text));
    } catch (FormatException e) {
      assertThat(e.getMessage())
          .startsWith("fuzz: ")
          .containsPattern("BAD_METADATA|UNSAFE_PATH|UNSUPPORTED_VERSION|LIMIT_EXCEEDED")
          .doesNotContain("\n", "\r");
      return;
    }
    for (ManifestEntry entry : manifest.shards()) {
      assertThat(entry.filename()).doesNotContain("/", "\\", ":").isNotEqualTo("..");
    }
    ShardFacts facts =
        new ShardFacts("shard_0001.pkl.gz", 1, null, true, new TreeMap<>(), 0, 0, 0, 0, 0, 0);
    for (ManifestMismatch difference : ManifestCheck.all(manifest, List.of(facts))) {
      assertThat(difference.exception()).hasMessageStartingWith("fuzz: " + difference.kind());
    }
  }
}
