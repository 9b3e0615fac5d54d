package org.saevhadoop.converters.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;

@Tag("late")
class PlantedFaultsTest {
  /** Datasets without faults. */
  private static final Map<String, FaultyDataset> SOUND = new HashMap<>();

  @TempDir static Path shared;
  private Path folder;

  @BeforeEach
  void createFolder() throws IOException {
    folder = Files.createTempDirectory(shared, "case");
  }

  @AfterAll
  static void forgetDatasets() {
    SOUND.clear();
  }

  /** A fault of values, and the kind and the coordinates of its finding. */
  private static final String VALUES =
      """
      nan 3 7 2         | NAN 3 7 2
      inf 4 3 0         | INFINITE 4 3 0
      zeros 1 7         | ZERO_EXAMPLE 1 7 -
      zero 5 3 2        | ZERO_VECTOR 5 3 2
      constant 0 7 3    | CONSTANT_VECTOR 0 7 3
      copy 4 3 1 2 3    | DUPLICATE_VECTOR 4 3 1
      """;

  private static List<String[]> faultsOfValues() {
    return VALUES.lines().map(line -> line.split(" *\\| ")).toList();
  }

  static List<String> forms() {
    return FaultyDataset.FORMS;
  }

  @ParameterizedTest
  @MethodSource("forms")
  void faultsOfValuesAreFoundInEveryForm(String form) throws IOException {
    List<String[]> faults =
        faultsOfValues().stream()
            // a model has the first three examples only
            .filter(fault -> !form.equals("model") || fault[0].matches("\\w+ [012] .*"))
            .toList();
    FaultyDataset dataset =
        FaultyDataset.of(
            form, SOUND, folder, faults.stream().map(fault -> fault[0]).toArray(String[]::new));
    JsonNode found = verify(dataset);
    assertThat(found.get("findings")).as(found.toPrettyString()).hasSameSizeAs(faults);
    for (String[] fault : faults) {
      assertFound(found, fault[1], dataset);
    }
    int examples = form.equals("model") ? 3 : 6;
    assertThat(found.get("checked").get("vectors").asInt()).isEqualTo(examples * 2 * 4);
  }

  @Test
  void valuesThatAreNoNumbersAreErrorsAndOthersWarnings() throws IOException {
    for (String[] fault : faultsOfValues()) {
      Path place = Files.createDirectory(folder.resolve(fault[0]));
      FaultyDataset dataset = FaultyDataset.of("saev", SOUND, place, fault[0]);
      JsonNode found = verify(dataset);
      assertThat(found.get("findings")).as(found.toPrettyString()).hasSize(1);
      assertFound(found, fault[1], dataset);
      assertThat(found.get("ok").asBoolean()).isEqualTo(!fault[1].matches("(NAN|INFINITE) .*"));
    }
  }

  private static JsonNode verify(FaultyDataset dataset) throws IOException {
    Cli cli = Cli.run("verify", dataset.path(), "--json");
    assertThat(cli.exitCode()).as(cli.stderr()).isLessThan(2);
    JsonNode found = cli.json();
    assertThat(cli.exitCode()).isEqualTo(found.get("ok").asBoolean() ? 0 : 1);
    return found;
  }

  /** Asserts that a finding has a kind, and coordinates or a path. */
  private static void assertFound(JsonNode found, String expected, FaultyDataset dataset) {
    String[] words = expected.split(" ");
    List<String> lines =
        found.get("findings").valueStream().map(finding -> line(finding, dataset)).toList();
    String line =
        words.length == 4
            ? "%s .*: %s %s %s".formatted(words[0], words[1], words[2], words[3])
            : "%s %s: - - -".formatted(words[0], words[1].replace(".", "\\.").replace("*", ".*"));
    assertThat(lines).anySatisfy(text -> assertThat(text).matches(line));
  }

  private static String line(JsonNode finding, FaultyDataset dataset) {
    String path = finding.get("path").asText();
    assertThat(path).startsWith(dataset.path().toString());
    String file = path.substring(dataset.path().toString().length());
    StringBuilder line = new StringBuilder(finding.get("kind").asText() + " ");
    line.append(file.isEmpty() ? "/" : file.substring(1)).append(":");
    for (String key : List.of("example", "layer", "token")) {
      line.append(' ').append(finding.get(key).isNull() ? "-" : finding.get(key).asText());
    }
    return line.toString();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "saev | cut acts000001.bin 40 | BAD_SHARD acts000001.bin",
        "saev | delete acts000001.bin | MISSING_FILE acts000001.bin",
        "saev | add acts000009.bin | ORPHAN_FILE acts000009.bin",
        "saev | replace metadata.json \"d_vit\" \"d_bit\" | MISSING_FIELD metadata.json",
        "saev | replace shards.json \"n_imgs\":2 \"n_imgs\":1 | BAD_SHARD_LIST shards.json",
        "saev | sums; flip acts000002.bin 70 | DIFFERENT_SUM acts000002.bin",
        "saev | sums; add notes.txt | EXTRA_FILE notes.txt",
        "shards | cut labels.bin 3 | BAD_LABELS labels.bin",
        "shards | sums; delete labels.bin | MISSING_FILE labels.bin",
        "shards | sums; flip labels.bin 5 | DIFFERENT_SUM labels.bin",
        "shards | cut acts000003.bin 1100 | BAD_SHARD acts000003.bin",
        "shards | replace metadata.json 2\\.1 9.1 | BAD_METADATA metadata.json",
        "shards | replace shards.json acts000001 acts000007 | BAD_SHARD_LIST shards.json",
        "safetensors | cut *.safetensors 40 | MetadataIncompleteBuffer part*",
        "safetensors | delete *.safetensors | MISSING_FILE part*",
        "safetensors | flip *.safetensors 8 | InvalidHeaderDeserialization part*",
        "safetensors | flip *.safetensors 5 | HeaderTooLarge part*",
        "safetensors | replace *.safetensors \\[3,4,6\\] [3,4,5] | TensorInvalidInfo part*",
        "safetensors | replace dataset_manifest.json 3 4 | BAD_MANIFEST dataset_manifest.json",
        "safetensors | sums; flip *.safetensors -9 | DIFFERENT_SUM part*",
        "kv | cut _tensor_index.parquet 30 | BAD_PARQUET _tensor_index.parquet",
        "kv | delete *.safetensors | MISSING_FILE part*",
        "kv | cut *.safetensors 8 | MetadataIncompleteBuffer part*",
        "model | cut . 40 | MetadataIncompleteBuffer /",
        "model | flip . 8 | InvalidHeaderDeserialization /",
        "pickle | flip shard_0001.pkl.gz -5 | BAD_GZIP shard_0001.pkl.gz",
        "pickle | flip shard_0001.pkl.gz -1 | BAD_GZIP shard_0001.pkl.gz",
        "pickle | cut shard_0001.pkl.gz 20 | TRUNCATED shard_0001.pkl.gz",
        "pickle | replace metadata.json sha256:. sha256:g | BAD_METADATA metadata.json",
        "pickle | replace metadata.json sha256:.. sha256:00 | SIZE_MISMATCH shard_0001.pkl.gz",
        "pickle | replace metadata.json total_samples\\W+6 total_samples\":7 | COUNT_MISMATCH metadata.json",
        "spec | delete shard_0002.pkl.gz | COUNT_MISMATCH shard_0002.pkl.gz",
        "spec | flip shard_0003.pkl.gz 300 | BAD_GZIP shard_0003.pkl.gz",
        "sdnb | cut *.sdnb 40 | BAD_HEADER *.sdnb",
        "sdnb | flip *.sdnb 1 | BAD_HEADER *.sdnb",
        "sharded | delete *.sdnb | MISSING_SHARD activations.shard0-of-7.sdnb",
        "sharded | cut *shard1-of* 10 | BAD_HEADER *shard1-of*",
        "sdz | cut *.sdz 10 | TRUNCATED *.sdz",
        "sdz | flip *.sdz 400 | CRC_MISMATCH *.sdz",
        "deflated | flip *.sdz 400 | BAD_MANIFEST *.sdz",
        "deflated | sums; flip *.sdz 12 | DIFFERENT_SUM *.sdz",
        "npy | cut layer_3.npy 8 | TRUNCATED layer_3.npy",
        "npy | delete layer_7.npy | INCOMPLETE layer_7.npy",
        "npy | replace layer_3.npy 6,.4,.6 6, 4, 5 | CONTRADICTION layer_3.npy",
        "npy | replace saev-arrays.json layer_7.npy layer_8.npy | INCOMPLETE layer_8.npy",
        "own-npy | cut layer_7.npy 10 | TRUNCATED layer_7.npy",
        "own-npy | replace layer_7.npy <f4 <q4 | UNSUPPORTED layer_7.npy",
        "npz | flip . 90 | BAD_DATA /",
        "npz | flip . -60 | HEADER_MISMATCH /",
        "npz | cut . 30 | TRUNCATED /",
        "torch | flip . 700 | UNUSUAL /",
        "torch | cut . 30 | TRUNCATED /",
        "torch | flip . 1300 | UNUSUAL /",
      })
  void aFaultOfAFileIsFound(String form, String faults, String expected) throws IOException {
    FaultyDataset dataset = FaultyDataset.of(form, SOUND, folder, faults.split("; "));
    JsonNode found = verify(dataset);
    assertFound(found, expected, dataset);
    // programs that write .pt files may leave out the CRC of an entry, or write another value
    assertThat(found.get("ok").asBoolean()).isEqualTo(expected.startsWith("UNUSUAL"));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "saev | nan 1 3 1; add acts000009.bin | NAN 1 3 1; ORPHAN_FILE acts000009.bin",
        "saev | inf 5 7 0; nan 5 7 3 | INFINITE 5 7 0; NAN 5 7 3",
        "saev | nan 0 3 0; sums; flip acts000001.bin 90 | NAN 0 3 0; DIFFERENT_SUM acts000001.bin",
        "saev | cut acts000000.bin 9; delete acts000002.bin"
            + " | BAD_SHARD acts000000.bin; MISSING_FILE acts000002.bin",
        "shards | cut labels.bin 1; add acts000008.bin"
            + " | BAD_LABELS labels.bin; ORPHAN_FILE acts000008.bin",
        "safetensors | zeros 2 3; replace dataset_manifest.json 3 4"
            + " | ZERO_EXAMPLE 2 3 -; BAD_MANIFEST dataset_manifest.json",
        "kv | copy 1 7 3 0 2; cut _tensor_index.parquet 30"
            + " | DUPLICATE_VECTOR 1 7 3; BAD_PARQUET _tensor_index.parquet",
        "spec | sums; flip shard_0003.pkl.gz 300; delete shard_0002.pkl.gz"
            + " | BAD_GZIP shard_0003.pkl.gz; MISSING_FILE shard_0002.pkl.gz",
        "spec | sums; cut shard_0001.pkl.gz 9; add x.txt"
            + " | TRUNCATED shard_0001.pkl.gz; EXTRA_FILE x.txt",
        "pickle | constant 3 3 1; nan 4 3 1 | CONSTANT_VECTOR 3 3 1; NAN 4 3 1",
        "sdnb | zero 0 7 1; inf 1 3 2 | ZERO_VECTOR 0 7 1; INFINITE 1 3 2",
        "deflated | nan 2 3 3; copy 5 3 0 5 1 | NAN 2 3 3; DUPLICATE_VECTOR 5 3 1",
        "own-npy | cut layer_3.npy 10; cut layer_7.npy 100"
            + " | TRUNCATED layer_3.npy; TRUNCATED layer_7.npy",
        "npy | zero 1 3 1; nan 4 7 2 | ZERO_VECTOR 1 3 1; NAN 4 7 2",
        "npz | zeros 5 3; nan 5 7 0 | ZERO_EXAMPLE 5 3 -; NAN 5 7 0",
        "torch | inf 2 7 2; flip . 700 | INFINITE 2 7 2; UNUSUAL /",
      })
  void twoFaultsAreFoundBoth(String form, String faults, String expected) throws IOException {
    FaultyDataset dataset = FaultyDataset.of(form, SOUND, folder, faults.split("; "));
    JsonNode found = verify(dataset);
    for (String one : expected.split("; ")) {
      assertFound(found, one, dataset);
    }
    assertThat(found.get("ok").asBoolean()).isFalse();
  }
}
