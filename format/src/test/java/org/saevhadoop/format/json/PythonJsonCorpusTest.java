package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;

@RequiresCorpus
class PythonJsonCorpusTest {
  private static final Map<Object, JsonStyle> HASHED_STYLES =
      Map.of(
          "json_sorted_default_sep", JsonStyle.DEFAULT_SORTED,
          "json_sorted_compact", JsonStyle.COMPACT_SORTED,
          "json_declared_compact_utf8", JsonStyle.ORJSON_DATACLASS,
          "sorted_default", JsonStyle.DEFAULT_SORTED,
          "sorted_compact", JsonStyle.COMPACT_SORTED);

  private static final Set<String> WRITTEN_BY_PYTHON = Set.of("v1", "v100", "v11", "v20");

  private static List<Path> cases() throws IOException {
    try (Stream<Path> paths = Files.walk(Corpus.part("saev"), 3)) {
      return paths.filter(path -> path.endsWith("expected.json")).map(Path::getParent).toList();
    }
  }

  private static Object parse(Path file) throws IOException {
    return PythonJson.parse(file.toString(), Files.readAllBytes(file));
  }

  private static Map<?, ?> expected(Path folder) throws IOException {
    return (Map<?, ?>) parse(folder.resolve("expected.json"));
  }

  private static Path metadata(Path folder) throws IOException {
    return folder.resolve((String) expected(folder).get("dataset_dir")).resolve("metadata.json");
  }

  private static String sha256(String text) throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void dumpsOfTheMetadataAreTheInputOfTheHash() throws Exception {
    int checked = 0;
    for (Path folder : cases()) {
      // null where the hash cannot be computed again from the file, as with int keys
      Map<?, ?> rule = (Map<?, ?>) expected(folder).get("hash_rule");
      JsonStyle style = rule == null ? null : HASHED_STYLES.get(rule.get("serialization"));
      if (style != null) {
        String text = PythonJson.dumps(parse(metadata(folder)), style);
        assertThat(text).as(folder.toString()).isEqualTo(rule.get("hash_input_utf8"));
        assertThat(sha256(text)).as(folder.toString()).isEqualTo(rule.get("full_sha256"));
        checked++;
      }
    }
    assertThat(checked).isPositive();
  }

  @Test
  void indentedDumpsAreTheFilesThatPythonWrote() throws Exception {
    int checked = 0;
    for (Path folder : cases()) {
      if (WRITTEN_BY_PYTHON.contains(folder.getParent().getFileName().toString())) {
        Path metadata = metadata(folder);
        assertThat(PythonJson.dumps(parse(metadata), JsonStyle.indented(4)))
            .as(folder.toString())
            .isEqualTo(Files.readString(metadata));
        checked++;
      }
    }
    assertThat(checked).isPositive();
  }

  @Test
  void shardListsAreIndentedByTwo() throws Exception {
    int checked = 0;
    for (Path folder : cases()) {
      Path shards = metadata(folder).resolveSibling("shards.json");
      if (Files.exists(shards)) {
        assertThat(PythonJson.dumps(parse(shards), JsonStyle.indented(2)))
            .as(folder.toString())
            .isEqualTo(Files.readString(shards));
        checked++;
      }
    }
    assertThat(checked).isPositive();
  }

  @Test
  void directoriesOfTheAuthorsHaveTheirNames() throws Exception {
    Map<?, ?> golden = (Map<?, ?>) parse(Corpus.part("saev").resolve("golden_hashes.json"));
    int checked = 0;
    for (Object item : (List<?>) golden.get("vectors")) {
      Map<?, ?> vector = (Map<?, ?>) item;
      JsonStyle style = HASHED_STYLES.get(vector.get("serialization"));
      if (style != null) {
        String text = PythonJson.dumps(vector.get("metadata"), style);
        assertThat(text).isEqualTo(vector.get("hash_input"));
        assertThat(sha256(text)).isEqualTo(vector.get("full_sha256"));
        checked++;
      }
    }
    assertThat(checked).isPositive();
  }
}
