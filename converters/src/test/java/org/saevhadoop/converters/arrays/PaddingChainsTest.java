package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/**
 * Padding stays marked on any way through the formats: statistics and shuffled vectors of the end
 * equal the statistics and vectors of the source.
 */
@Tag("late")
@Tag("sampled")
class PaddingChainsTest extends ConvertedDatasets {
  private static final List<String> FORMATS =
      List.of(
          "saev --family f --ckpt c",
          "saev --family f --ckpt c --tokens-per-shard 16",
          "safetensors",
          "safetensors --batch-size 2 --tail pad",
          "safetensors --kv",
          "pickle",
          "samediff",
          "npy",
          "npy --max-npy-bytes 70");

  private int tries;

  /** Examples and tokens of the source, by their numbers. */
  private record Selection(List<Integer> examples, List<Integer> tokens) {
    static Selection all(RaggedSource source) {
      return new Selection(range(source.examples().size()), range(source.tokens()));
    }

    List<String> options() {
      return List.of("--examples=" + text(examples), "--tokens=" + text(tokens));
    }

    /** Selects by the numbers that examples and tokens have here. */
    Selection of(Selection part) {
      return new Selection(
          part.examples.stream().map(examples::get).toList(),
          part.tokens.stream().map(tokens::get).toList());
    }

    /** Returns a part that has a token which is not padding. */
    Selection part(RandomValues any, RaggedSource source) {
      Selection part =
          new Selection(
              some(any, examples.size(), any.bool()), some(any, tokens.size(), any.bool()));
      boolean isEmpty = this.of(part).vectors(source, 0).isEmpty();
      return isEmpty ? new Selection(range(examples.size()), range(tokens.size())) : part;
    }

    private static List<Integer> some(RandomValues any, int count, boolean all) {
      List<Integer> chosen =
          range(count).stream().filter(i -> all || any.intBetween(0, 3) > 0).toList();
      return chosen.isEmpty() ? List.of(0) : chosen;
    }

    private static List<Integer> range(int count) {
      return IntStream.range(0, count).boxed().toList();
    }

    private static String text(List<Integer> numbers) {
      return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Returns the vectors of a layer that are not padding. */
    List<String> vectors(RaggedSource source, int layer) {
      List<String> vectors = new ArrayList<>();
      for (int example : examples) {
        List<Integer> present = source.examples().get(example);
        for (int token : tokens) {
          if (token < present.size()) {
            float[] vector = RaggedSource.vector(example, layer, present.get(token));
            vectors.add(HexFormat.of().formatHex(NaiveTensors.floats(vector)));
          }
        }
      }
      return vectors;
    }

    int size() {
      return examples.size() * tokens.size();
    }
  }

  @Property(tries = 30, sample = 10)
  void endsOfConversionsHaveThePaddingOfTheirSource(RandomValues any) throws IOException {
    Path all = folder.resolve("try" + tries++);
    RaggedSource source = RaggedSource.of(any, all.resolve("source"));
    Selection selected = Selection.all(source);
    if (selected.vectors(source, 0).isEmpty()) {
      return;
    }
    Path path = source.path();
    List<String> reading = source.options();
    int steps = any.intBetween(2, 5);
    List<String> chain = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      String format = any.of(FORMATS);
      List<String> options = new ArrayList<>(reading);
      if (any.bool()) {
        Selection part = selected.part(any, source);
        options.addAll(part.options());
        selected = selected.of(part);
      }
      chain.add("--to " + format + " " + options);
      path = convert(path, all.resolve("step" + step).toString(), format, options);
      // samples of pickles have their original lengths again
      boolean isRagged = format.equals("pickle");
      reading = isRagged ? List.of("--ragged=pad:" + selected.tokens().size()) : List.of();
    }
    List<String> part = new ArrayList<>(source.options());
    part.addAll(selected.options());
    assertThat(stats(path, reading, selected, source))
        .as("%s", chain)
        .isEqualTo(stats(source.path(), part, selected, source));
    assertVectors(path, reading, all.resolve("rows"), selected, source, chain);
  }

  /** Returns the statistics, whose counts are those that are expected. */
  private static JsonNode stats(
      Path path, List<String> reading, Selection selected, RaggedSource source) throws IOException {
    ObjectNode stats = (ObjectNode) Cli.run("stats", path, "--json", reading).succeeds().json();
    stats.remove("path");
    for (JsonNode layer : stats.get("layers")) {
      int vectors = selected.vectors(source, 0).size();
      assertThat(layer.get("vectors").intValue()).as("%s", path).isEqualTo(vectors);
      assertThat(layer.get("padding").intValue()).isEqualTo(selected.size() - vectors);
    }
    return stats;
  }

  private static void assertVectors(
      Path path,
      List<String> reading,
      Path rows,
      Selection selected,
      RaggedSource source,
      List<String> chain)
      throws IOException {
    int layer = 0;
    Object[] options = {"--to=safetensors", "--columns=rows", "--json"};
    Cli cli = Cli.run("shuffle", path, rows, reading, options).succeeds();
    List<String> expected = selected.vectors(source, layer);
    Found found = NaiveTensors.batches(rows).get("layer_" + layer);
    List<String> vectors = new ArrayList<>();
    for (int row = 0; row < found.shape().get(0); row++) {
      vectors.add(HexFormat.of().formatHex(found.row(row)));
    }
    assertThat(vectors).as("%s", chain).containsExactlyInAnyOrderElementsOf(expected);
    int padding = selected.size() - expected.size();
    assertThat(cli.json().at("/datasets/0/padding").intValue()).isEqualTo(padding);
    String stated =
        "shuffle: %d of %d vectors of a layer are padding".formatted(padding, selected.size());
    assertThat(cli.stderr().contains(stated)).as("%s", cli.stderr()).isEqualTo(padding > 0);
  }
}
