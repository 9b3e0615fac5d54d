package org.saevhadoop.converters.diff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.jobs.diff.DatasetDifference;
import org.saevhadoop.jobs.diff.Diff;
import org.saevhadoop.jobs.run.RunListener;

@Tag("late")
class DiffTest extends ConvertedDatasets {
  private static final String MAX_SPLIT = "mapreduce.input.fileinputformat.split.maxsize";

  /** Returns the JSON of a comparison, which has the exit code that it states. */
  static JsonNode diff(Iterable<JsonNode> arguments, Object... paths) throws IOException {
    List<String> words = new ArrayList<>();
    arguments.forEach(word -> words.add(word.asText()));
    Cli cli = Cli.run("diff", paths, words, "--json");
    JsonNode found = new JsonMapper().readTree(cli.text());
    assertThat(cli.exitCode()).as(cli.stderr()).isEqualTo(found.get("same").asBoolean() ? 0 : 1);
    return found;
  }

  private static JsonNode diff(Object... words) throws IOException {
    return diff(List.of(), words);
  }

  /** Changes one bit of the value at an offset of a file. */
  private static void edit(Path file, long example, int layer, int token, int dim)
      throws IOException {
    Fixtures.flip(file, (int) ((((example * 3 + layer) * 10 + token) * 16 + dim) * Float.BYTES));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"saev --protocol 2.1", "safetensors", "pickle", "samediff", "npy", "parquet"})
  void aConversionIsIdenticalToItsSource(String options) throws IOException {
    Path copy = convert(Fixtures.small(), "copy", options);
    JsonNode found = diff(Fixtures.small(), copy);
    assertThat(found.get("identical").asBoolean()).isTrue();
    assertThat(found.get("examples").asInt()).isEqualTo(7);
    assertThat(found.get("layers").findValuesAsText("layer")).containsExactly("13", "21", "23");
    Cli swapped = Cli.run("diff", copy, Fixtures.small()).succeeds();
    assertThat(swapped.text()).endsWith("identical\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"samediff", "safetensors", "npy"})
  void idsOfTokensAreTheSameAsArraysAndInSampleMetadata(String format) throws IOException {
    List<String> read = List.of("--tensor", "hidden_states=token,layer,dim", "--ragged", "flatten");
    Path source = Fixtures.arrays("vllm");
    Path copy = convert(source, "copy", format, read);
    List<String> ofSource =
        List.of(
            "-Dsaev.input.0.tensors=hidden_states=token,layer,dim",
            "-Dsaev.input.0.ragged=flatten");
    JsonNode found = diff(source, copy, ofSource);
    assertThat(found.get("same").asBoolean()).isTrue();
    assertThat(found.get("sample_metadata_differing").asInt()).isZero();
    assertThat(found.get("only_a")).isEmpty();
    assertThat(found.get("only_b")).isEmpty();

    Path edited = Files.createDirectory(folder.resolve("edited"));
    try (Stream<Path> files = Files.list(source).sorted()) {
      for (Path file : files.toList()) {
        Files.copy(file, edited.resolve(file.getFileName()));
      }
    }
    byte[] header = "[40,280]}}".getBytes(StandardCharsets.UTF_8);
    Path first = edited.resolve("cmpl-1f4a9c0e6b7d4e52a3c8d90b5e6f7a81-0-8b1d2c3e.safetensors");
    int firstId = Fixtures.indexOf(header, Files.readAllBytes(first)) + header.length;
    Fixtures.flip(first, firstId);
    JsonNode other = diff(edited, copy, ofSource);
    assertThat(other.get("sample_metadata_differing").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100})
  void theResultIsTheSameForAnyNumberOfSplits(int splits) throws Exception {
    Path copy = Fixtures.copy(Fixtures.SMALL, folder);
    Path file = copy.resolve("acts000000.bin");
    for (int dim = 0; dim < 15; dim++) {
      edit(file, 1, 2, 3, dim);
      edit(file, 0, 0, 9, dim);
    }
    Configuration conf = new Configuration();
    conf.setLong(MAX_SPLIT, Math.max(1, 7 * 3 * 640 / splits));
    DatasetDifference found =
        Diff.of(Fixtures.small().toString(), copy.toString(), conf).run(new RunListener() {});
    assertThat(found.same()).isFalse();
    assertThat(found.all().valuesDiffering()).isEqualTo(30);
    assertThat(found.all().vectorsDiffering()).isEqualTo(2);
    assertThat(found.all().blocksDiffering()).isEqualTo(2);
    assertThat(found.first()).hasSize(20);
    assertThat(found.first().get(14))
        .satisfies(
            value ->
                assertThat(List.of(value.example(), value.token(), (long) value.dim()))
                    .containsExactly(0L, 9L, 14L));
    assertThat(found.first().get(15).example()).isEqualTo(1);
    assertThat(found.first().get(15).layer()).isEqualTo(23);
  }

  @Test
  void coordinatesAreThoseOfTheStoredDataset() throws IOException {
    Path copy = Fixtures.copy(Fixtures.SMALL, folder);
    edit(copy.resolve("acts000000.bin"), 1, 1, 8, 5);
    JsonNode found =
        diff(Fixtures.small(), copy, "--examples", "1:", "--layers", "23,21", "--tokens", "7:");
    assertThat(found.get("first")).hasSize(1);
    JsonNode value = found.get("first").get(0);
    assertThat(value.get("example").asInt()).isEqualTo(1);
    assertThat(value.get("layer").asInt()).isEqualTo(21);
    assertThat(value.get("token").asInt()).isEqualTo(8);
    assertThat(value.get("dim").asInt()).isEqualTo(5);
    assertThat(value.get("a").asDouble()).isNotEqualTo(value.get("b").asDouble());
    JsonNode elsewhere = diff(Fixtures.small(), copy, "--tokens", "0:7");
    assertThat(elsewhere.get("identical").asBoolean()).isTrue();
  }

  @Test
  void whatOnlyOneHasIsADifference() throws IOException {
    Path part = convert(Fixtures.small(), "part", "safetensors --layers 23,13 --limit 5");
    JsonNode found = diff(Fixtures.small(), part);
    assertThat(found.get("same").asBoolean()).isFalse();
    assertThat(found.get("only_a").get(0).asText()).isEqualTo("layer 21");
    assertThat(found.get("shapes").get(0).asText()).isEqualTo("examples: 7 and 5");
    assertThat(found.get("values_differing").asInt()).isZero();
    assertThat(found.get("examples").asInt()).isEqualTo(5);
    assertThat(diff(part, Fixtures.small()).get("only_b").get(0).asText()).isEqualTo("layer 21");
    JsonNode shapes = diff(Fixtures.small(), Fixtures.saev(Fixtures.D768)).get("shapes");
    assertThat(shapes.toString()).contains("examples: 7 and 5");
  }

  @Test
  void labelsAndSampleMetadataAreCompared() throws IOException {
    Path labelled = Fixtures.labelled(Fixtures.SMALL, folder);
    assertThat(diff(labelled, Fixtures.small()).get("only_a").get(0).asText()).isEqualTo("labels");
    Path copy = convert(labelled, "copy", "safetensors --batch-size 2");
    assertThat(diff(labelled, copy).get("identical").asBoolean()).isTrue();
    Fixtures.flip(labelled.resolve("labels.bin"), 3);
    JsonNode found = diff(labelled, copy);
    assertThat(found.get("labels_differing").asInt()).isEqualTo(1);
    assertThat(found.get("same").asBoolean()).isFalse();
  }

  @Test
  void sampleMetadataIsComparedIfBothHaveIt() throws IOException {
    Path a = describe("a", "[1]");
    Path b = describe("b", "[2]");
    Path copy = convert(a, "copy", "safetensors --batch-size 3");
    assertThat(diff(a, copy).get("identical").asBoolean()).isTrue();
    JsonNode found = diff(a, b);
    assertThat(found.get("sample_metadata_differing").asInt()).isEqualTo(1);
    assertThat(found.get("same").asBoolean()).isFalse();
    JsonNode only = diff(a, Fixtures.small());
    assertThat(only.get("only_a").get(0).asText()).isEqualTo("sample metadata");
    assertThat(only.get("identical").asBoolean()).isTrue();
  }

  /** Copies the fixture and describes its first two examples, the second one as is asked. */
  private Path describe(String name, String second) throws IOException {
    Path copy = Fixtures.copy(Fixtures.SMALL, folder.resolve(name));
    String lines =
        """
        {"example":0,"sample":{"k":[0]}}
        {"example":1,"sample":{"k":%s}}
        """
            .formatted(second);
    Path sidecar = copy.resolve("acts000000.examples.jsonl.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(sidecar))) {
      out.write(lines.getBytes(StandardCharsets.US_ASCII));
    }
    return copy;
  }

  @Test
  void anotherStoredTypeIsReportedAndIsNoDifference() throws IOException {
    Path halves = convert(Fixtures.small(), "halves", "safetensors --dtype bf16");
    Path widened = convert(halves, "widened", "saev");
    Cli cli = Cli.run("diff", widened, halves).succeeds();
    assertThat(cli.text()).contains("layer 13: stored as F32 and BF16\n").endsWith("identical\n");
    JsonNode rounded = diff(Fixtures.small(), halves);
    assertThat(rounded.get("same").asBoolean()).isFalse();
    assertThat(rounded.get("max_ulp").asInt()).isZero();
    assertThat(diff(Fixtures.small(), halves, "--tolerance", "bf16").get("same").asBoolean())
        .isTrue();
    assertThat(diff(Fixtures.small(), halves, "--tolerance", "rel:0.004").get("same").asBoolean())
        .isTrue();
    assertThat(diff(Fixtures.small(), halves, "--tolerance", "rel:0.0001").get("same").asBoolean())
        .isFalse();
  }

  @Test
  void whatCannotBeComparedEndsWithExitCode3() {
    Cli missing = Cli.run("diff", Fixtures.small(), folder.resolve("none"));
    assertThat(missing.exitCode()).isEqualTo(3);
    assertThat(missing.stderr().lines()).hasSize(1);
    Cli json = Cli.run("diff", folder.resolve("none"), Fixtures.small(), "--json");
    assertThat(json.exitCode()).isEqualTo(3);
    assertThat(json.text()).contains(FileError.NOT_FOUND.name()).contains("\"exit\":3");
    Cli.run("diff", Fixtures.small(), Fixtures.small(), "--tolerance", "5%")
        .failsAsUsage("--tolerance is \"5%\" (expected abs:X|rel:X|ulp:N|bf16");
  }
}
