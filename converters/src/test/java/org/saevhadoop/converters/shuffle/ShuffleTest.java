package org.saevhadoop.converters.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.permutation.Permutation;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.shuffle.Shuffle;

@Tag("late")
class ShuffleTest extends ConvertedDatasets {
  private static final NaiveActivations NAIVE =
      new NaiveActivations(23, List.of(4, 9), 5, 16, true, false);

  private Path source;

  @BeforeEach
  void writeSource() throws IOException {
    source = NAIVE.writeSaev(folder.resolve("source"));
  }

  private Path shuffle(String name, Object... options) {
    return Cli.run("shuffle", source, folder.resolve(name), options).succeeds().lastLinePath();
  }

  /** Returns the permutation that the text in a dataset determines. */
  private static Permutation permutation(Path dataset, long rows) throws IOException {
    Path part = dataset.resolve(files(dataset).get(1));
    String text = NaiveTensors.metadata(part).get("saev.shuffle").asText();
    long seed = new ObjectMapper().readTree(text).get("seed").asLong();
    return Permutation.of(rows, seed, text);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 7, -1})
  void eachVectorIsAtThePositionThatThePermutationGivesIt(long seed) throws IOException {
    Path written =
        shuffle(
            "out", "--to", "safetensors", "--layers", "9", "--tokens", "image", "--seed=" + seed);
    NaiveTensors.Found rows = NaiveTensors.batches(written).get("layer_9");
    assertThat(rows.shape()).isEqualTo(List.of(23L * 4, 16L));
    Permutation permutation = permutation(written, 23 * 4);
    for (int i = 0; i < 23 * 4; i++) {
      assertThat(rows.row((int) permutation.at(i))).isEqualTo(NAIVE.vector(i / 4, 9, i % 4 + 1));
    }
  }

  @Test
  void eachExampleIsAtThePositionThatThePermutationGivesIt() throws IOException {
    Path written = shuffle("out", "--to", "safetensors", "--unit", "example");
    Permutation permutation = permutation(written, 23);
    for (int layer : NAIVE.layers()) {
      NaiveTensors.Found rows = NaiveTensors.batches(written).get("layer_" + layer);
      assertThat(rows.shape()).isEqualTo(List.of(23L, 5L, 16L));
      for (int i = 0; i < 23; i++) {
        byte[] example = rows.row((int) permutation.at(i));
        for (int token = 0; token < 5; token++) {
          assertThat(Arrays.copyOfRange(example, token * 64, token * 64 + 64))
              .isEqualTo(NAIVE.vector(i, layer, token));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 16})
  void theBytesAreTheSameForAnyNumberOfTasks(int tasks) throws IOException {
    Object[] options = {"--layers", "4", "--tokens-per-shard", "17"};
    Path expected = shuffle("expected", options);
    long bytes = 23L * 5 * 16 * Float.BYTES;
    Path found =
        shuffle(
            "found",
            options,
            "-Dmapreduce.input.fileinputformat.split.maxsize=" + ((bytes - 1) / tasks + 1));
    assertThat(found.getFileName()).isEqualTo(expected.getFileName());
    assertSameFiles(found, expected);
  }

  /** Returns the rows of all tensors of a dataset in the order of their bytes. */
  private static List<String> sortedRows(Path dataset) throws IOException {
    Collection<NaiveTensors.Found> tensors = NaiveTensors.batches(dataset).values();
    int rows = tensors.iterator().next().shape().get(0).intValue();
    return IntStream.range(0, rows)
        .mapToObj(
            row ->
                tensors.stream()
                    .map(tensor -> HexFormat.of().formatHex(tensor.row(row)))
                    .collect(Collectors.joining()))
        .sorted()
        .toList();
  }

  /** Returns the rows of some layers and of the image tokens of activations, in the same order. */
  private static List<String> sortedRows(
      NaiveActivations from, List<Integer> layers, RowUnit unit) {
    List<String> vectors = new ArrayList<>();
    List<String> examples = new ArrayList<>();
    for (int example = 0; example < from.examples(); example++) {
      StringBuilder whole = new StringBuilder();
      for (int layer : layers) {
        for (int token = 1; token < from.tokens(); token++) {
          String vector = HexFormat.of().formatHex(from.vector(example, layer, token));
          vectors.add(vector);
          whole.append(vector);
        }
      }
      examples.add(whole.toString());
    }
    return (unit == RowUnit.VECTOR ? vectors : examples).stream().sorted().toList();
  }

  /** The source is one file of 112 examples, of which each task reads the same number. */
  @ParameterizedTest
  @EnumSource
  void eachRowOfTheSourceIsWrittenOnceByAnyNumberOfTasks(RowUnit unit)
      throws IOException, InterruptedException {
    NaiveActivations naive = new NaiveActivations(112, List.of(4, 7, 9), 5, 16, true, false);
    source = convert(naive.writeSaev(folder.resolve("saev")), "file", "safetensors");
    List<Integer> layers = unit == RowUnit.VECTOR ? List.of(9) : List.of(4, 9);
    List<String> expected = sortedRows(naive, layers, unit);
    Configuration conf = new Configuration();
    conf.set("saev.input.layers", layers.toString().replaceAll("[^0-9,]", ""));
    conf.set("saev.input.tokens", "image");
    conf.setInt("saev.safetensors.batch.size", expected.size() / 4);
    for (int tasks : new int[] {1, 2, 7, 16}) {
      conf.setInt(
          "mapreduce.input.fileinputformat.split.maxsize",
          112 / tasks * layers.size() * 4 * 16 * Float.BYTES);
      Path out = folder.resolve("tasks" + tasks);
      Conversion conversion = Conversion.of(source.toString(), out.toString(), "safetensors", conf);
      List<Long> files = new ArrayList<>();
      new Shuffle(conversion, unit, 0, 1, List.of(), false)
          .run(
              new RunListener() {
                @Override
                public void message(String line) {
                  if (line.startsWith("convert: ")) {
                    files.add(filesOfRows());
                  }
                }
              });
      assertThat(files).first().isEqualTo((long) tasks);
      assertThat(sortedRows(out)).isEqualTo(expected);
      assertSameFiles(out, folder.resolve("tasks1"));
    }
  }

  /** Returns the number of files of rows of a run that is at work; each task writes one. */
  private long filesOfRows() {
    try (Stream<Path> found = Files.walk(folder)) {
      return found.filter(file -> file.getFileName().toString().startsWith("rows-")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void otherSeedsLayersAndTokensHaveOtherHashesAndOrders() {
    List<String> names =
        List.of(
                List.of("--seed", "1", "--layers", "4"),
                List.of("--seed", "2", "--layers", "4"),
                List.of("--seed", "1", "--layers", "9"),
                List.of("--seed", "1", "--layers", "4", "--tokens", "image"),
                List.of("--seed", "1", "--layers", "4", "--unit", "example"))
            .stream()
            .map(options -> shuffle("out", options).getFileName().toString())
            .toList();
    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  void eachOfSeveralLayersIsADatasetWithoutProblems() throws IOException {
    String paths = Cli.run("shuffle", source, folder.resolve("out")).succeeds().text();
    List<Path> written = paths.lines().map(Path::of).toList();
    assertThat(written)
        .extracting(path -> folder.resolve("out").relativize(path).getName(0).toString())
        .containsExactly("layer_4", "layer_9");
    for (Path dataset : written) {
      Cli.run("verify", dataset).succeeds();
      JsonNode metadata = Fixtures.json(dataset.resolve("metadata.json"));
      assertThat(metadata.get("protocol").asText()).isEqualTo("2.1");
      assertThat(metadata.get("cls_token").asBoolean()).isFalse();
      assertThat(metadata.get("content_tokens_per_example").asInt()).isEqualTo(1);
      assertThat(metadata.get("n_examples").asInt()).isEqualTo(23 * 5);
    }
  }

  @Test
  void aSourceWithoutAHashIsIdentifiedByItsDigest() throws IOException {
    Path plain = convert(source, "plain", "npy");
    Path document = plain.resolve("saev-arrays.json");
    ObjectNode json = (ObjectNode) Fixtures.json(document);
    json.putObject("provenance");
    Files.writeString(document, json.toString());
    Object[] options = {"--layers", "4", "--family", "f", "--ckpt", "c"};
    Cli cli = Cli.run("shuffle", plain, folder.resolve("out"), options).succeeds();
    assertThat(cli.stderr()).contains("the source has no hash");
    JsonNode metadata = Fixtures.json(cli.lastLinePath().resolve("metadata.json"));
    assertThat(Cli.run("inspect", cli.lastLinePath()).succeeds().text()).contains("sha256-blocks:");
    assertThat(metadata.get("family").asText()).isEqualTo("f");
  }

  @Test
  void theConversionOfAShuffledDatasetKeepsItsOrder() throws IOException {
    Path tensors = shuffle("tensors", "--layers", "4", "--to", "safetensors");
    Path saev = shuffle("saev", "--layers", "4");
    Path back = convert(tensors, "back", "saev");
    assertThat(back.getFileName()).isEqualTo(saev.getFileName());
    assertThat(digest(back)).isEqualTo(digest(saev));
  }
}
