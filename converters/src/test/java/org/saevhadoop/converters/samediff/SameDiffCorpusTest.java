package org.saevhadoop.converters.samediff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;

/**
 * The containers of the corpus, which SameDiff's own serializer wrote, through the command line.
 */
@RequiresCorpus
class SameDiffCorpusTest {
  /** The fields of a report by those of the files of the corpus. */
  private static final Map<String, String> FIELDS =
      Map.of(
          "name", "name",
          "kind", "kind",
          "dtype", "stored_dtype",
          "shape", "shape",
          "sha256", "digest");

  @TempDir Path folder;

  private static JsonNode expected() throws IOException {
    return Fixtures.json(container("expected.json"));
  }

  private static Path container(String name) {
    return Corpus.part("samediff").resolve(name);
  }

  static Stream<String> containers() throws IOException {
    return expected().properties().stream().map(Map.Entry::getKey);
  }

  @ParameterizedTest
  @MethodSource("containers")
  void inspectListsEveryArrayAsItWasRecorded(String name) throws IOException {
    JsonNode expected = expected().get(name);
    JsonNode found =
        Cli.run("inspect", container(name), "--json", "--digests").succeeds().json().get("arrays");
    List<JsonNode> arrays = new ArrayList<>();
    List<String> placeholders = new ArrayList<>();
    for (JsonNode array : found) {
      if (array.get("kind").asText().equals("PLACEHOLDER")) {
        placeholders.add(array.get("name").asText());
      } else {
        arrays.add(array);
      }
    }
    List<String> named = new ArrayList<>();
    expected.get("placeholders").forEach(placeholder -> named.add(placeholder.asText()));
    assertThat(placeholders).isEqualTo(named);
    assertThat(arrays).hasSameSizeAs(expected.get("arrays"));
    for (JsonNode array : expected.get("arrays")) {
      JsonNode twin =
          arrays.stream().filter(a -> a.get("name").equals(array.get("name"))).findFirst().get();
      FIELDS.forEach(
          (field, reported) ->
              assertThat(twin.get(reported)).as(twin + " " + field).isEqualTo(array.get(field)));
      assertThat(twin.get("order").asText()).as(twin + "").isEqualTo(order(name, array));
    }
  }

  /**
   * Returns the order of an array. That of a small array among the shards is recorded as f; the
   * file says c, and its bytes have the digest of C order only if they are read in C order.
   */
  private static String order(String container, JsonNode array) {
    boolean copied =
        container.equals("sharded2") && array.get("name").asText().equals("v_f32_forder");
    return copied ? "c" : array.get("order").asText();
  }

  private static JsonNode written() throws IOException {
    return Fixtures.json(container("nd4j_expected.json"));
  }

  /** Containers with empty arrays and with texts. Shards are named by their base name. */
  static Stream<Arguments> writtenArrays() throws IOException {
    return written().properties().stream()
        .flatMap(
            container ->
                container
                    .getValue()
                    .valueStream()
                    .map(array -> Arguments.of(container.getKey().replaceAll(" .*", ""), array)));
  }

  @ParameterizedTest
  @MethodSource("writtenArrays")
  void anArrayIsListedAsNd4jWroteItWhateverIsBesideIt(String name, JsonNode expected)
      throws IOException {
    JsonNode arrays =
        Cli.run("inspect", container(name), "--json", "--digests").succeeds().json().get("arrays");
    JsonNode found =
        arrays
            .valueStream()
            .filter(array -> array.get("name").equals(expected.get("name")))
            .findFirst()
            .orElseThrow();
    for (String field : List.of("shape", "order")) {
      assertThat(found.get(field)).as(found + " " + field).isEqualTo(expected.get(field));
    }
    assertThat(found.get("stored_dtype")).as(found + "").isEqualTo(expected.get("dtype"));
    if (expected.get("dtype").asText().equals("UTF8")) {
      // the texts are not in the file: nd4j writes a byte for each
      assertThat(found.get("note").asText()).isEqualTo("cannot be read: the type UTF8");
      assertThat(found.has("digest")).isFalse();
      return;
    }
    assertThat(found.get("digest")).isEqualTo(expected.get("sha256"));
    assertThat(found.has("note"))
        .isEqualTo(expected.get("empty").asBoolean() && expected.get("shape").isEmpty());
    byte[] values =
        Cli.run("cat", container(name), "--name", expected.get("name").asText(), "--format=bin")
            .succeeds()
            .stdout();
    assertThat(values.length == 0).isEqualTo(expected.get("empty").asBoolean());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--tensor=x=example,dim"})
  void anArrayBesideTextsIsConverted(String option) throws Exception {
    Path out = folder.resolve("out");
    List<String> options = option.isEmpty() ? List.of() : List.of(option);
    Cli convert =
        Cli.run("convert", container("nd4j_utf8"), out, "--to", "safetensors", options).succeeds();
    assertThat(convert.stderr().lines()).containsOnlyOnce("warning: 1 array cannot be read: txt");
    Found found = NaiveTensors.batches(out).values().iterator().next();
    String sha256 = HexFormat.of().formatHex(digest(found.bytes()));
    JsonNode x = written().get("nd4j_utf8 (3 shards)").get(1);
    assertThat(sha256).isEqualTo(x.get("sha256").asText());
  }

  @ParameterizedTest
  @CsvSource({
    "mixed.sdnb, big_f, F32, 450, 600",
    "mixed.sdnb, big_f16, F16, 725, 729",
    "mixed.sdnb, below_1MiB, BF16, 300, 400",
    "sharded2, big_f, F32, 450, 600",
    "sharded2, v_f32_forder, F32, 3, 4",
    "small_deflated.sdz, v_f32_forder, F32, 3, 4"
  })
  void anArrayOfExamplesIsIngested(String name, String array, String dtype, long examples, long dim)
      throws Exception {
    Path out = folder.resolve("out");
    String mapping = array + "=example,layer:5,dim";
    Cli.run("convert", container(name), out, "--to", "safetensors", "--tensor", mapping).succeeds();
    Map<String, Found> tensors = NaiveTensors.batches(out);
    assertThat(tensors).containsOnlyKeys("layer_5");
    Found found = tensors.get("layer_5");
    assertThat(found.dtype()).isEqualTo(dtype);
    assertThat(found.shape()).containsExactly(examples, 1L, dim);
    String sha256 = HexFormat.of().formatHex(digest(found.bytes()));
    for (JsonNode expected : expected().get(name).get("arrays")) {
      if (expected.get("name").asText().equals(array)) {
        assertThat(sha256).isEqualTo(expected.get("sha256").asText());
        return;
      }
    }
    throw new AssertionError("no array " + array);
  }

  private static byte[] digest(byte[] bytes) throws Exception {
    return MessageDigest.getInstance("SHA-256").digest(bytes);
  }
}
