package org.saevhadoop.format.pickleshards.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertError;
import static org.saevhadoop.format.pickle.value.PickleError.COUNT_MISMATCH;
import static org.saevhadoop.format.pickle.value.PickleError.LAYER_MISMATCH;
import static org.saevhadoop.format.pickleshards.directory.ActivationManifestTest.parse;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.pickle.value.PickleError;

/** Against one shard: 300 bytes, samples 4, 6 and 9 in layer 1, two of them in layer 2 too. */
class ManifestCheckTest {
  private static final String SHA256 = "0123456789abcdef".repeat(4);
  private static final ShardFacts SHARD =
      new ShardFacts(
          "s.pkl", 300, SHA256, false, new TreeMap<>(Map.of(1, 3L, 2, 2L)), 3, 4, 9, 0, 0, 0);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "size_bytes|300",
        "num_samples|3",
        "layers|[2, 1]",
        "sample_id_range|[4, 9]",
        "compressed|false",
        "samples_per_layer|{\"2\": 2, \"1\": 3}",
        "total_samples_in_shard|5",
        "file_size_mb|0.0002861",
        "buffer_size_mb|77.0",
        "checksum|null"
      })
  void whatIsSoIsNoDifference(String key, String value) throws IOException {
    assertThat(check(entry(key, value))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "size_bytes|299|SIZE_MISMATCH",
        "num_samples|2|COUNT_MISMATCH",
        "num_samples|5|COUNT_MISMATCH",
        "layers|[1]|LAYER_MISMATCH",
        "layers|[1, 2, 3]|LAYER_MISMATCH",
        "layers|[]|LAYER_MISMATCH",
        "sample_id_range|[4, 10]|COUNT_MISMATCH",
        "sample_id_range|[5, 9]|COUNT_MISMATCH",
        "samples_per_layer|{\"1\": 3}|COUNT_MISMATCH",
        "samples_per_layer|{\"1\": 3, \"2\": 3}|COUNT_MISMATCH",
        "total_samples_in_shard|3|COUNT_MISMATCH",
        "checksum|\"sha256:0000000000000000000000000000000000000000000000000000000000000000\"|SIZE_MISMATCH"
      })
  void whatIsNotSoLosesOrInventsData(String key, String value, PickleError kind)
      throws IOException {
    String path = kind == PickleError.SIZE_MISMATCH ? "s.pkl" : "m";
    assertError(kind, path, only(entry(key, value), true).exception());
  }

  @Test
  void contentIsComparedOnlyWhereItsHashIsKnown() throws IOException {
    assertThat(check(entry("checksum", "\"sha256:" + SHA256 + "\""))).isEmpty();
    ShardFacts unhashed =
        new ShardFacts("s.pkl", 300, null, false, SHARD.samplesOfLayer(), 3, 4, 9, 0, 0, 0);
    String other = entry("checksum", "\"sha256:" + "0".repeat(64) + "\"");
    assertThat(ManifestCheck.all(parse(other), List.of(unhashed))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "compressed,true,BAD_METADATA",
    "file_size_mb,0.5,SIZE_MISMATCH",
    "file_size_mb,NaN,SIZE_MISMATCH"
  })
  void whatIsOnlyOddIsAWarning(String key, String value, PickleError kind) throws IOException {
    assertThat(only(entry(key, value), false).kind()).isEqualTo(kind);
  }

  @Test
  void aListedShardThatIsMissingLosesData() throws IOException {
    String manifest =
        "{\"shards\": [{\"filename\": \"s.pkl\"},"
            + " {\"filename\": \"t.pkl\", \"gcs_path\": \"gs://b/t.pkl\"}]}";
    ManifestMismatch difference = check(manifest).get(0);
    assertThat(difference.losesData()).isTrue();
    assertThat(difference.kind()).isEqualTo(COUNT_MISMATCH);
    assertThat(difference.path()).isEqualTo("t.pkl");
    assertThat(difference.text())
        .isEqualTo("is listed but does not exist; it was uploaded to another location");
    TreeMap<String, Long> lengths = new TreeMap<>(Map.of("s.pkl", 300L));
    assertThat(ManifestCheck.files(parse(manifest), lengths)).containsExactly(difference);
  }

  @Test
  void aShardThatIsNotListedIsANote() throws IOException {
    only("{\"shards\": []}", false);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "total_shards|1|2|0",
        "total_samples|3|6|2",
        "total_samples|5|4|1",
        "total_size_bytes|300|301|299",
        "layers_extracted|[2, 1]|[1, 2, 7]|[1]"
      })
  void totalsOfTheSpecificationLoseDataWhereTheyAreMoreThanThereIs(
      String key, String right, String more, String less) throws IOException {
    assertThat(check(spec(key, right))).isEmpty();
    ManifestMismatch loss = only(spec(key, more), true);
    ManifestMismatch surplus = only(spec(key, less), false);
    assertThat(loss.kind()).isEqualTo(surplus.kind());
    if (key.equals("layers_extracted")) {
      assertThat(loss.kind()).isEqualTo(LAYER_MISMATCH);
    }
  }

  @Test
  void totalsOfRealWritersCountOtherRunsAndNeverLoseData() throws IOException {
    String manifest =
        "{\"total_shards\": 4, \"total_activations\": 99, \"total_unique_samples\": 50,"
            + " \"shards\": [{\"filename\": \"s.pkl\"}]}";
    assertThat(check(manifest)).hasSize(3).noneMatch(ManifestMismatch::losesData);
  }

  private static String entry(String key, String value) {
    return "{\"shards\": [{\"filename\": \"s.pkl\", \"" + key + "\": " + value + "}]}";
  }

  private static String spec(String key, Object value) {
    return "{\"version\": \"1.0\", \"shards\": [{\"filename\": \"s.pkl\"}],"
        + (" \"statistics\": {\"" + key + "\": " + value + "}}");
  }

  private static List<ManifestMismatch> check(String manifest) throws IOException {
    return ManifestCheck.all(parse(manifest), List.of(SHARD));
  }

  private static ManifestMismatch only(String manifest, boolean losesData) throws IOException {
    List<ManifestMismatch> found = check(manifest);
    assertThat(found).singleElement().matches(d -> d.losesData() == losesData);
    return found.get(0);
  }
}
