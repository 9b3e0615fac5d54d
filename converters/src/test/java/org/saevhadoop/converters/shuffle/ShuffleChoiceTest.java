package org.saevhadoop.converters.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.permutation.ExampleSample;

/** Sources of rows, and the choice of examples. */
@Tag("late")
class ShuffleChoiceTest extends ConvertedDatasets {
  private Cli shuffle(Path source, String name, Object... options) {
    return Cli.run("shuffle", source, folder.resolve(name), options).succeeds();
  }

  /** Writes vectors of the values example, layer, token, 0. */
  private Path numbered(int examples, int layer, int tokens) throws IOException {
    String header =
        "{\"layer_%d\":{\"dtype\":\"F32\",\"shape\":[%d,%d,4],\"data_offsets\":[0,%d]}}"
            .formatted(layer, examples, tokens, examples * tokens * 16);
    byte[] json = (header + " ".repeat(8 - header.length() % 8)).getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(8 + json.length + examples * tokens * 16)
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(json.length).put(json);
    for (int example = 0; example < examples; example++) {
      for (int token = 0; token < tokens; token++) {
        bytes.putFloat(example).putFloat(layer).putFloat(token).putFloat(0);
      }
    }
    return Files.write(folder.resolve("numbered.safetensors"), bytes.array());
  }

  private static long integer(Found tensor, int row) {
    return ByteBuffer.wrap(tensor.row(row)).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private static float value(Found tensor, int row, int dim) {
    return ByteBuffer.wrap(tensor.row(row)).order(ByteOrder.LITTLE_ENDIAN).getFloat(4 * dim);
  }

  private static Set<Integer> examples(Path dataset, String layer) throws IOException {
    Found rows = NaiveTensors.batches(dataset).get(layer);
    Set<Integer> found = new TreeSet<>();
    for (int row = 0; row < rows.shape().get(0); row++) {
      found.add((int) value(rows, row, 0));
    }
    return found;
  }

  @Test
  void eachOf100000RowsIsTheVectorAtTheCoordinatesThatAreWrittenBesideIt() throws IOException {
    Path source = numbered(250, 3, 410);
    Path written =
        shuffle(
                source,
                "out",
                "--to=safetensors",
                "--provenance",
                "--examples=200:250,0:200",
                "--tokens=5:405",
                "-Dmapreduce.input.fileinputformat.split.maxsize=300000",
                "--batch-size=30000")
            .lastLinePath();
    Map<String, Found> found = NaiveTensors.batches(written);
    Set<Long> coordinates = new HashSet<>();
    for (int row = 0; row < 100_000; row++) {
      long example = integer(found.get("example"), row);
      long token = integer(found.get("token"), row);
      boolean isAt =
          integer(found.get("layer"), row) == 3
              && value(found.get("layer_3"), row, 0) == example
              && value(found.get("layer_3"), row, 2) == token;
      if (!isAt) { // a hundred thousand assertions take seconds
        throw new AssertionError("row " + row + " is not example " + example + ", token " + token);
      }
      coordinates.add(example * 1000 + token);
    }
    assertThat(coordinates).hasSize(100_000);
    assertThat(found.get("layer_3").shape()).isEqualTo(List.of(100_000L, 4L));
  }

  @Test
  void coordinatesOfExamplesAreThoseOfTheirTokens() throws IOException {
    Path source = numbered(40, 3, 6);
    Path written =
        shuffle(source, "out", "--to=safetensors", "--provenance", "--unit=example", "--tokens=2:5")
            .lastLinePath();
    Map<String, Found> found = NaiveTensors.batches(written);
    ByteBuffer examples =
        ByteBuffer.wrap(found.get("example").bytes()).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer tokens = ByteBuffer.wrap(found.get("token").bytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (int row = 0; row < 40; row++) {
      for (int token = 0; token < 3; token++) {
        assertThat((float) examples.getLong()).isEqualTo(value(found.get("layer_3"), row, 0));
        assertThat(tokens.getLong()).isEqualTo(token + 2);
      }
    }
  }

  @Test
  void examplesOfSeveralLayersHaveNoLayerBesideThem() throws IOException {
    Path source = new NaiveActivations(9, List.of(4, 9), 3, 16, true, false).writeSaev(folder);
    Object[] options = {"--to=safetensors", "--provenance", "--unit=example"};
    Path written = shuffle(source, "out", options).lastLinePath();
    assertThat(NaiveTensors.batches(written))
        .containsOnlyKeys("layer_4", "layer_9", "example", "token");
  }

  @Test
  void inSaevShardsCoordinatesAreSampleMetadata() throws IOException {
    Path source = new NaiveActivations(9, List.of(4), 3, 16, true, false).writeSaev(folder);
    Path written = shuffle(source, "out", "--provenance").lastLinePath();
    Cli.run("verify", written).succeeds();
    assertThat(Cli.run("cat", written, "--sample-metadata", "--examples=0").succeeds().text())
        .contains("\"example\"", "\"token\"");
  }

  @Test
  void eachVectorKeepsItsLabel() throws IOException {
    NaiveActivations naive = new NaiveActivations(9, List.of(4), 5, 16, true, true);
    Path source = naive.writeSaev(folder);
    Path written =
        shuffle(
                source,
                "out",
                "--to=safetensors",
                "--provenance",
                "--tokens=image",
                "-Dmapreduce.input.fileinputformat.split.maxsize=700")
            .lastLinePath();
    Map<String, Found> found = NaiveTensors.batches(written);
    for (int row = 0; row < 9 * 4; row++) {
      long example = integer(found.get("example"), row);
      int token = (int) integer(found.get("token"), row);
      assertThat(found.get("labels").bytes()[row]).isEqualTo(naive.label(example, token - 1));
      assertThat(found.get("layer_4").row(row)).isEqualTo(naive.vector(example, 4, token));
    }
    Path saev = shuffle(source, "saev", "--tokens=image").lastLinePath();
    assertThat(saev.resolve("labels.bin")).hasBinaryContent(found.get("labels").bytes());
  }

  @Test
  void aSampleIsTheSeededChoiceOfExamples() throws IOException {
    Path source = numbered(90, 3, 6);
    Path written =
        shuffle(source, "out", "--to=safetensors", "--sample=10%", "--seed=5").lastLinePath();
    ExampleSample sample = ExampleSample.of(90, 0.1, 5);
    Set<Integer> expected = new TreeSet<>();
    for (int rank = 0; rank < sample.count(); rank++) {
      expected.add((int) sample.example(rank));
    }
    assertThat(examples(written, "layer_3")).isEqualTo(expected).hasSize(9);
    assertThat(NaiveTensors.batches(written).get("layer_3").shape().get(0)).isEqualTo(9 * 6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--seed=1", "--sample=50%", "--unit=example"})
  void noExampleIsInTwoPartsOfAPartition(String option) throws IOException {
    Path source = numbered(80, 3, 6);
    String partition = "--partition=train=0.9,val=0.1";
    String splits = "-Dmapreduce.input.fileinputformat.split.maxsize=1000";
    shuffle(source, "out", "--to=safetensors", partition, option, splits);
    List<Integer> all = new ArrayList<>(examples(folder.resolve("out/train"), "layer_3"));
    int examples = option.startsWith("--sample") ? 40 : 80;
    assertThat(all).hasSize(examples * 9 / 10);
    all.addAll(examples(folder.resolve("out/val"), "layer_3"));
    assertThat(all).hasSize(examples).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--sample=0%",
        "--sample=10",
        "--sample=x%",
        "--partition=train",
        "--partition=a=0.9,b=0.2",
        "--partition=a=0.5,a=0.5",
        "--partition=../a=0.5",
        "--partition=a=0"
      })
  void impossibleChoicesAreRefused(String option) {
    String name = option.substring(0, option.indexOf('='));
    Cli.run("shuffle", Fixtures.small(), folder.resolve("out"), option)
        .failsAsUsage(name + " is ", "expected ");
  }

  @Test
  void partsOfMoreThanAllExamplesAreRefusedWithTheirSum() {
    Cli.run("shuffle", Fixtures.small(), folder.resolve("out"), "--partition=a=0.7,b=0.2,c=0.25")
        .failsAsUsage("--partition is \"a=0.7,b=0.2,c=0.25\", which adds up to 1.15 ");
  }

  @ParameterizedTest
  @CsvSource({
    "'a=0.5,b=0.25', 4, '4 of 16 examples (25.0%) are in no part', 0.75",
    "'a=0.3', 11, '11 of 16 examples (68.8%) are in no part', 0.3",
    "'a=0.7,b=0.2,c=0.1', 0, '', 1",
    "'a=0.33333,b=0.33333,c=0.33333', 0, '', 0.99999"
  })
  void examplesThatAreInNoPartAreCounted(String parts, int expected, String line, String sum)
      throws IOException {
    Path source = numbered(16, 3, 2);
    String partition = "--partition=" + parts;
    Path out = folder.resolve("out");
    Object[] command = {"shuffle", source, out, "--to=safetensors", partition};
    String said =
        line.isEmpty() ? "" : line + " and are left out because --partition adds up to " + sum;
    Cli dry = Cli.run(command, "--dry-run", "--json").succeeds();
    for (JsonNode plan : dry.json().get("datasets")) {
      assertThat(plan.get("changes").toString())
          .isEqualTo(said.isEmpty() ? "[]" : "[\"" + said + "\"]");
    }
    Cli written = Cli.run(command, "--json").succeeds();
    long lines = written.stderr().lines().filter(("shuffle: " + said)::equals).count();
    assertThat(lines).isEqualTo(said.isEmpty() ? 0 : 1);
    int examples = 0;
    for (JsonNode dataset : written.json().get("datasets")) {
      assertThat(dataset.get("unassigned").intValue()).isEqualTo(expected);
      examples += dataset.get("examples").intValue() / 2;
    }
    assertThat(examples).isEqualTo(16 - expected);
  }

  @Test
  void aPartWithoutExamplesIsRefused() throws IOException {
    Path source = numbered(4, 3, 2);
    Cli.run("shuffle", source, folder.resolve("out"), "--partition=a=0.99,b=0.01")
        .failsWithText(
            "part b would be empty: 4 examples are divided (expected a larger fraction)");
  }

  @Test
  void paddingIsLeftOut() throws IOException {
    Path source = Fixtures.pickle("ragged");
    Path padded = convert(source, "padded", "safetensors", "--ragged", "pad:9");
    Path flat = convert(source, "flat", "safetensors", "--ragged", "flatten");
    int layer =
        NaiveTensors.batches(flat).keySet().stream()
            .filter(name -> name.startsWith("layer_"))
            .mapToInt(name -> Integer.parseInt(name.substring("layer_".length())))
            .findFirst()
            .orElseThrow();
    Found expected = NaiveTensors.batches(flat).get("layer_" + layer);
    for (String split : List.of("1", "1000000")) {
      Path written =
          shuffle(
                  padded,
                  "out" + split,
                  "--to=safetensors",
                  "--provenance",
                  "--layers=" + layer,
                  "-Dmapreduce.input.fileinputformat.split.maxsize=" + split)
              .lastLinePath();
      Found found = NaiveTensors.batches(written).get("layer_" + layer);
      assertThat(found.shape().get(0)).isEqualTo(expected.shape().get(0));
      assertThat(rows(found)).isEqualTo(rows(expected));
    }
    assertSameFiles(folder.resolve("out1"), folder.resolve("out1000000"));
  }

  /** Padding is looked for in 1024 examples at a time; here only the first of them have any. */
  @Test
  void paddingOfManyExamplesIsLeftOut() throws IOException {
    int examples = 1100;
    Path requests = folder.resolve("requests");
    ExampleSample half = ExampleSample.of(examples, 0.5, 0);
    Set<Integer> all = new TreeSet<>();
    Set<Integer> sampled = new TreeSet<>();
    for (int example = 0; example < examples; example++) {
      int tokens = example < 1000 ? example % 3 + 1 : 3;
      float[] values = new float[2 * tokens];
      for (int token = 0; token < tokens; token++) {
        values[2 * token] = example;
        values[2 * token + 1] = token;
        all.add(example * 10 + token);
        if (half.contains(example)) {
          sampled.add(example * 10 + token);
        }
      }
      Found states = Found.of("F32", List.of((long) tokens, 1L, 2L), NaiveTensors.floats(values));
      Found ids = Found.of("I64", List.of((long) tokens), new byte[8 * tokens]);
      NaiveTensors.write(
          requests.resolve("r%04d.safetensors".formatted(example)),
          Map.of("states", states, "ids", ids));
    }
    Object[] layout = {"--tensor=states=token,layer:3,dim", "--ragged=pad:3"};
    Path source = convert(requests, "padded", "safetensors", layout);
    assertThat(tokens(source, "--seed=3")).isEqualTo(List.copyOf(all));
    assertThat(tokens(source, "--sample=50%")).isEqualTo(List.copyOf(sampled));
  }

  /** Returns the examples and tokens of the rows that a shuffle writes, sorted. */
  private List<Integer> tokens(Path source, String option) throws IOException {
    String splits = "-Dmapreduce.input.fileinputformat.split.maxsize=5000";
    Path written = shuffle(source, option, "--to=safetensors", option, splits).lastLinePath();
    Found rows = NaiveTensors.batches(written).get("layer_3");
    return IntStream.range(0, rows.shape().get(0).intValue())
        .mapToObj(row -> (int) value(rows, row, 0) * 10 + (int) value(rows, row, 1))
        .sorted()
        .toList();
  }

  private static List<String> rows(Found tensor) {
    return IntStream.range(0, tensor.shape().get(0).intValue())
        .mapToObj(row -> HexFormat.of().formatHex(tensor.row(row)))
        .sorted()
        .toList();
  }
}
