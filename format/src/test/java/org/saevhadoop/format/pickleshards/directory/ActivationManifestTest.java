package org.saevhadoop.format.pickleshards.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ManifestEntry.IdRange;

class ActivationManifestTest {
  private static final String HEX = "0123456789abcdefABCDEF".repeat(3).substring(0, 64);

  @Test
  void theSpecificationsFormIsRead() throws IOException {
    ActivationManifest manifest =
        parse(
            "{\"version\": \"1.0\", \"extraction_config\": {\"lr\": NaN}, \"mine\": [1],"
                + " \"distributed_config\": {\"machine_id\": 3},"
                + " \"shards\": [{\"shard_id\": 1, \"filename\": \"shard_0001.pkl.gz\","
                + " \"size_bytes\": 230, \"num_samples\": 2, \"layers\": [15, 16],"
                + " \"sample_id_range\": [-1, 7], \"compressed\": true,"
                + (" \"checksum\": \"sha256:" + HEX + "\"}],")
                + " \"statistics\": {\"total_shards\": 1, \"total_samples\": 2,"
                + " \"total_size_bytes\": 230, \"layers_extracted\": [15, 16],"
                + " \"extraction_duration_seconds\": 3600.5}}");
    assertThat(manifest.form()).isEqualTo(Form.SPEC);
    ManifestEntry entry = manifest.shards().get(0);
    assertThat(entry.bytes()).isEqualTo(230);
    assertThat(entry.samples()).isEqualTo(2);
    assertThat(entry.layers()).containsExactly(15, 16);
    assertThat(entry.ids()).isEqualTo(new IdRange(-1, 7));
    assertThat(entry.compressed()).isTrue();
    assertThat(entry.sha256()).isEqualTo(HEX.toLowerCase(java.util.Locale.ROOT));
    assertThat(manifest.totals().seconds()).isEqualTo(3600.5);
    assertThat(manifest.extractionConfig().orElseThrow().get("lr").doubleValue()).isNaN();
    assertThat(manifest.distributedConfig().orElseThrow().get("machine_id").intValue())
        .isEqualTo(3);
    assertThat(manifest.document().get("mine").toString()).isEqualTo("[1]");
    assertThat(manifest.document().has("shards")).isFalse();
  }

  @Test
  void theFormOfRealWritersIsReadWithItsLayersInTheirOrder() throws IOException {
    ActivationManifest manifest =
        parse(
            "{\"total_shards\": 4, \"total_activations\": 13, \"total_unique_samples\": 5,"
                + " \"gcs_bucket\": null, \"shards\": [{\"shard_id\": 2, \"filename\": \"shard_0002.pkl\","
                + " \"local_path\": \"/data/shard_0002.pkl\", \"gcs_path\": null,"
                + " \"file_size_mb\": 0.5, \"layers\": [11, 12, 10],"
                + " \"samples_per_layer\": {\"11\": 5, \"12\": 4, \"10\": 4},"
                + " \"total_samples_in_shard\": 13}]}");
    assertThat(manifest.form()).isEqualTo(Form.REAL);
    assertThat(manifest.totals().samples()).isEqualTo(5);
    assertThat(manifest.totals().activations()).isEqualTo(13);
    ManifestEntry entry = manifest.shards().get(0);
    assertThat(entry.layers()).containsExactly(11, 12, 10);
    assertThat(entry.samplesOfLayer()).containsEntry(10, 4L).containsEntry(11, 5L).hasSize(3);
    assertThat(entry.uploadedTo()).isNull();
    assertThat(manifest.extractionConfig()).isEmpty();
  }

  @Test
  void theOlderWritersTotalCountsArrays() throws IOException {
    ActivationManifest manifest = parse("{\"total_samples\": 13, \"shards\": []}");
    assertThat(manifest.totals().activations()).isEqualTo(13);
    assertThat(manifest.totals().samples()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "3",
        "{}",
        "{\"shards\": null}",
        "{\"shards\": {}}",
        "{\"version\": NaN, \"shards\": []}",
        "{\"version\": 1.0, \"shards\": []}",
        "{\"version\": null, \"shards\": []}",
        "{\"version\": \"1.0\", \"created_at\": 5, \"shards\": []}",
        "{\"version\": \"1.0\", \"extraction_config\": [], \"shards\": []}",
        "{\"version\": \"1.0\", \"statistics\": 7, \"shards\": []}",
        "{\"version\": \"1.0\", \"statistics\": {\"total_shards\": \"1\"}, \"shards\": []}",
        "{\"total_shards\": 1e400, \"shards\": []}",
        "{\"shards\": [7]}",
        "{\"shards\": [null]}",
        "{\"shards\": [{\"shard_id\": 1}]}",
        "{\"shards\": [{\"filename\": 7}]}",
        "{\"shards\": [{\"filename\": \"a\"}, {\"filename\": \"a\"}]}"
      })
  void whatIsNoManifestIsRefused(String text) {
    assertThat(refuse(PickleError.BAD_METADATA, text)).hasMessageNotContainingAny("\n", "\r");
  }

  /** The text is Jackson's, and of its version. */
  @ParameterizedTest
  @ValueSource(strings = {"{", "{\"shards\": []} x", "{\"shards\": [], \"shards\": []}", "\u0000"})
  void whatIsNoJsonIsRefused(String text) {
    assertThat(assertFailsWithAnyText(PickleError.BAD_METADATA, "m", () -> parse(text)))
        .hasMessageNotContainingAny("\n", "\r");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "size_bytes|-1",
        "size_bytes|1.0",
        "size_bytes|9223372036854775808",
        "size_bytes|\"1\"",
        "num_samples|[]",
        "layers|15",
        "layers|[\"x\"]",
        "layers|[1.5]",
        "layers|[null]",
        "layers|[99999999999]",
        "samples_per_layer|[]",
        "samples_per_layer|{\"x\": 1}",
        "samples_per_layer|{\"1\": -1}",
        "samples_per_layer|{\"1\": 1, \"layer_1\": 1}",
        "sample_id_range|[1]",
        "sample_id_range|[2, 1]",
        "sample_id_range|[1, \"2\"]",
        "sample_id_range|3",
        "compressed|1",
        "checksum|\"sha256:abcd1234...\"",
        "checksum|\"md5:00000000000000000000000000000000\"",
        "checksum|\"0000000000000000000000000000000000000000000000000000000000000000\"",
        "file_size_mb|\"1\"",
        "shard_id|{}"
      })
  void aFieldOfAnotherTypeIsRefusedByItsName(String key, String value) {
    refuse(PickleError.BAD_METADATA, entry("\"" + key + "\": " + value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"size_bytes", "num_samples", "layers", "sample_id_range", "checksum"})
  void nullIsAsIfNothingWereSet(String key) throws IOException {
    assertThat(parse(entry("\"" + key + "\": null")).shards())
        .isEqualTo(parse(entry("\"other\": 1")).shards());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "..",
        "../shard_0001.pkl",
        "/etc/passwd",
        "host_00/shard_0001.pkl",
        "a\\\\b",
        "C:x",
        "http://127.0.0.1:1/x.pkl.gz",
        "gs:x",
        "a\\u0000b",
        "a\\nb"
      })
  void aFilenameThatIsNoPlainNameIsRefused(String name) {
    refuse(PickleError.UNSAFE_PATH, "{\"shards\": [{\"filename\": \"" + name + "\"}]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "9", "0.9", "10.0", "x", "", "1.", "1.0.0.0"})
  void anotherVersionIsRefused(String version) {
    refuse(PickleError.UNSUPPORTED_VERSION, "{\"version\": \"" + version + "\", \"shards\": []}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1.0", "1.7", "1.2.3", "1.0.0-rc.1"})
  void everyVersionThatBeginsWithOneIsRead(String version) throws IOException {
    assertThat(parse("{\"version\": \"" + version + "\", \"shards\": []}").form())
        .isEqualTo(Form.SPEC);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\": ", "{\"shards\": [{\"filename\": \"a\", \"x\": "})
  void nestingWithoutEndIsRefusedBeforeTheStackEnds(String before) {
    refuse(PickleError.BAD_METADATA, before + "[".repeat(100_000));
    refuse(PickleError.BAD_METADATA, before + "{\"a\":".repeat(100_000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\": [", "{\"shards\": [{\"filename\": \"a\", \"layers\": ["})
  void valuesWithoutEndAreRefusedBeforeTheMemoryEnds(String before) {
    refuse(PickleError.LIMIT_EXCEEDED, before + "[],".repeat(1_000_000));
  }

  @Test
  void valuesBeforeAndBehindTheShardsAreCountedTogether() {
    String many = "[1" + ",1".repeat(150_000) + "]";
    refuse(
        PickleError.LIMIT_EXCEEDED, "{\"a\": " + many + ", \"shards\": [], \"b\": " + many + "}");
  }

  @Test
  void aNumberOfAMillionDigitsIsRefusedAndNotRead() {
    assertFailsWithAnyText(
        PickleError.BAD_METADATA,
        "m",
        () -> parse(entry("\"size_bytes\": " + "9".repeat(1_000_000))));
  }

  @Test
  void tooManyShardsAreRefused() {
    StringBuilder text = new StringBuilder("{\"shards\": [");
    for (int i = 0; i <= 100_000; i++) {
      text.append("{\"filename\": \"").append(i).append("\"},");
    }
    refuse(PickleError.LIMIT_EXCEEDED, text.toString());
  }

  @Test
  void aFileThatIsTooLongIsNotRead(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("metadata.json");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }
    assertFails(
        PickleError.LIMIT_EXCEEDED,
        "metadata.json",
        () -> ActivationManifest.read(new LocalFolder(folder)));
  }

  private static String entry(String field) {
    return "{\"shards\": [{\"filename\": \"shard_0001.pkl\", " + field + "}]}";
  }

  private static FormatException refuse(PickleError kind, String text) {
    return assertFails(kind, "m", () -> parse(text));
  }

  static ActivationManifest parse(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ActivationManifest.parse("m", new ByteArrayInputStream(bytes));
  }
}
