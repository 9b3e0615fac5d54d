package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.arrays.MadeArrays.Integers;
import org.saevhadoop.format.arrays.MadeArrays.Made;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.tensor.DType;

/**
 * Token ids and masks whose length is not that of the vectors, as vLLM writes them with prefix
 * caching (vllm #44485), and those that differ between layers that are joined.
 */
class GroupTokensTest {
  private static final String REQUEST = "acts=token,layer,dim";
  private static final String BATCH = "acts=example,token,dim";

  private final MadeArrays arrays = new MadeArrays();

  private static Integers integers(String name, DType dtype, Long... shape) {
    int count = List.of(shape).stream().mapToInt(Math::toIntExact).reduce(1, (a, b) -> a * b);
    return new Integers(
        name, dtype, List.of(shape), LongStream.range(1, count + 1).toArray(), false);
  }

  /** Adds a file of a request of vLLM. */
  private void addRequest(String file, int tokens, Integers... integers) {
    Made acts =
        new Made(
            "acts",
            new int[4],
            new int[] {1, 2, tokens, 2},
            List.of(Axis.TOKEN, Axis.LAYER, Axis.DIM),
            false);
    arrays.add(file, List.of(acts), List.of(integers));
  }

  private ArrayDataset open(String mapping, boolean leavesOut, String... masks) throws IOException {
    return ArrayDataset.open(
        arrays.location(),
        arrays,
        new ArrayOptions(
            List.of(ArrayMapping.parse(mapping)),
            null,
            List.of(),
            RaggedPolicy.parse("flatten"),
            1,
            List.of(masks).stream().map(MaskChoice::parse).toList(),
            leavesOut,
            Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "token_ids, 0",
    "token_ids, 1",
    "token_ids, 2",
    "input_ids, 1",
    "tokens, 1",
    "attention_mask, 0",
    "attention_mask, 2",
    "mask, 1",
    "batch.token_ids, 1"
  })
  void anotherLengthIsRefusedInWhicheverFileItIs(String name, int bad) throws IOException {
    for (int i = 0; i < 3; i++) {
      addRequest("hs_%d.made".formatted(i), 3, integers(name, DType.I64, i == bad ? 4L : 3L));
    }
    assertFails(ArrayError.BAD_SHAPE, "hs_" + bad + ".made", () -> open(REQUEST, false));
    ArrayDataset left = open(REQUEST, true);
    assertThat(left.geometry().examples()).isEqualTo(9);
    assertThat(left.tokenArrays().isEmpty()).isTrue();
    assertThat(left.warnings())
        .containsExactly(
            ("/data/hs_%d.made: array %s has the shape [4], but the tokens of array acts have the"
                    + " shape [3]: it is left out (--no-sample-metadata)")
                .formatted(bad, name));
  }

  @Test
  void idsThatContradictNothingAreKeptBesideThoseThatDo() throws IOException {
    addRequest(
        "a.made", 3, integers("token_ids", DType.I64, 3L), integers("input_ids", DType.I32, 3L));
    addRequest(
        "b.made", 3, integers("token_ids", DType.I64, 2L), integers("input_ids", DType.I32, 3L));
    assertThat(open(REQUEST, true).tokenArrays().names()).containsExactly("input_ids");
    assertThat(MadeArrays.integers(open(REQUEST, true), 0))
        .containsExactly(
            List.of(1L), List.of(2L), List.of(3L), List.of(1L), List.of(2L), List.of(3L));
  }

  @Test
  void otherIntegersOfAnotherLengthAreLeftOutWithOneLine() throws IOException {
    for (int i = 0; i < 4; i++) {
      addRequest(
          "hs_%d.made".formatted(i),
          3,
          integers("token_ids", DType.I64, 3L),
          integers("loss_mask", DType.I64, i == 0 ? 3L : 4L + i));
    }
    ArrayDataset dataset = open(REQUEST, false);
    assertThat(dataset.tokenArrays().names()).containsExactly("token_ids");
    assertThat(dataset.warnings())
        .containsExactly(
            "/data/hs_1.made: array loss_mask has the shape [5], but the tokens of array acts have"
                + " the shape [3]: it is left out (also in 2 other files)");
  }

  @ParameterizedTest
  @CsvSource({
    "tokens, 2, 0", // of each example
    "tokens, 1, 0",
    "input_ids, 3, 0", // of the tokens of any example
    "token_ids, 6, 0", // in a row
    "token_ids, 3, 2", // in another order
    "labels, 2, 0",
    "lengths, 2, 0"
  })
  void otherDimensionsAreNoContradiction(String name, long first, long second) throws IOException {
    Integers integers =
        second == 0 ? integers(name, DType.I64, first) : integers(name, DType.I64, first, second);
    arrays.addTokens("a.made", integers);
    ArrayDataset dataset = open(BATCH, false);
    assertThat(dataset.geometry().examples()).isEqualTo(6);
    assertThat(dataset.tokenArrays().isEmpty()).isTrue();
    assertThat(dataset.warnings()).noneMatch(warning -> warning.contains("left out"));
  }

  @ParameterizedTest
  @CsvSource({"2, 4", "2, 2", "1, 4", "3, 3"})
  void oneTokenMoreOrLessOrAnotherNumberOfExamplesIsAContradiction(long examples, long tokens) {
    arrays.addTokens("a.made", integers("token_ids", DType.I64, examples, tokens));
    assertFails(ArrayError.BAD_SHAPE, "a.made", () -> open(BATCH, false));
  }

  @Test
  void idsOfOtherActivationsInTheFileAreNoContradiction() throws IOException {
    Made first =
        new Made("a.x", new int[4], new int[] {1, 1, 3, 2}, List.of(Axis.TOKEN, Axis.DIM), false);
    Made second =
        new Made("b.x", new int[4], new int[] {1, 1, 4, 2}, List.of(Axis.TOKEN, Axis.DIM), false);
    arrays.add(
        "f.made",
        List.of(first, second),
        List.of(integers("a.input_ids", DType.I64, 3L), integers("b.input_ids", DType.I64, 4L)));
    assertThat(MadeArrays.integers(open("{example}.x=token,dim", false), 0)).hasSize(7);
    arrays.add(
        "f.made",
        List.of(first, second),
        List.of(integers("a.input_ids", DType.I64, 3L), integers("b.input_ids", DType.I64, 3L)));
    assertFails(ArrayError.BAD_SHAPE, "f.made", () -> open("{example}.x=token,dim", false));
  }

  /** Adds a layer of 2 examples of 3 tokens. */
  private void addLayer(int layer, Integers... integers) {
    Made acts =
        new Made(
            "acts",
            new int[4],
            new int[] {2, 1, 3, 2},
            List.of(Axis.EXAMPLE, Axis.TOKEN, Axis.DIM),
            false);
    arrays.add("layer_%d.made".formatted(layer), List.of(acts), List.of(integers));
  }

  private static Integers of(String name, DType dtype, long... values) {
    return new Integers(name, dtype, List.of(2L, 3L), values, dtype == DType.I16);
  }

  @Test
  void layersThatAreJoinedMayHaveEqualIdsOfOtherTypes() throws IOException {
    addLayer(0, of("token_ids", DType.I64, 7, 8, 9, 10, 11, -1));
    addLayer(1, of("token_ids", DType.I32, 7, 8, 9, 10, 11, -1));
    addLayer(2, of("token_ids", DType.I16, 7, 8, 9, 10, 11, -1));
    addLayer(3);
    ArrayDataset dataset = open(BATCH, false);
    assertThat(dataset.geometry().layers()).containsExactly(0, 1, 2, 3);
    assertThat(MadeArrays.integers(dataset, 0)).hasSize(6);
    assertThat(dataset.warnings()).isEmpty();
  }

  @Test
  void layersThatAreJoinedMustHaveTheSameTokens() throws IOException {
    addLayer(0, of("token_ids", DType.I64, 7, 8, 9, 10, 11, 12));
    addLayer(1, of("token_ids", DType.I64, 7, 8, 9, 10, 6, 12));
    addLayer(2, of("token_ids", DType.I64, 7, 8, 9, 10, 11, 13));
    assertFails(ArrayError.DIFFERENT_TOKENS, "layer_1.made", () -> open(BATCH, false));
    ArrayDataset left = open(BATCH, true);
    assertThat(left.tokenArrays().isEmpty()).isTrue();
    assertThat(left.geometry().examples()).isEqualTo(6);
    assertThat(left.warnings())
        .containsExactly(
            "/data/layer_1.made: array token_ids has 6 at example 1, token 1, but token_ids of"
                + " layer_0.made has 11 there, so their layers do not have the same tokens: it is"
                + " left out (--no-sample-metadata)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"attention_mask", "mask"})
  void layersThatAreJoinedMustHaveTheSameMask(String name) throws IOException {
    addLayer(0, of(name, DType.I64, 1, 1, 0, 1, 1, 1));
    addLayer(1, of(name, DType.I64, 1, 1, 1, 1, 1, 1));
    assertFails(ArrayError.DIFFERENT_TOKENS, "layer_1.made", () -> open(BATCH, false));
    assertFails(ArrayError.DIFFERENT_TOKENS, "layer_1.made", () -> open(BATCH, true));
    ArrayDataset all = open(BATCH, true, name + "=keep");
    assertThat(all.geometry().examples()).isEqualTo(6);
    addLayer(1, of(name, DType.I64, 1, 1, 0, 1, 1, 1));
    assertThat(open(BATCH, false).geometry().examples()).isEqualTo(5);
  }

  @Test
  void eachLayerOfAFileMustHaveTheSameTokens() {
    List<Made> layers = new ArrayList<>();
    List<Integers> integers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      layers.add(
          new Made(
              "layer_%d.acts".formatted(i),
              new int[4],
              new int[] {2, 1, 3, 2},
              List.of(Axis.EXAMPLE, Axis.TOKEN, Axis.DIM),
              false));
      integers.add(of("layer_%d.input_ids".formatted(i), DType.I64, 1, 2, 3, 4, 5, 6 + i));
    }
    arrays.add("f.made", layers, integers);
    assertFails(
        ArrayError.DIFFERENT_TOKENS,
        "f.made",
        () -> open("layer_{layer}.acts=example,token,dim", false));
  }

  @Test
  void theSecondFileOfAGroupMayHaveIdsOfAnotherLength() {
    addLayer(0, of("token_ids", DType.I64, 7, 8, 9, 10, 11, 12));
    addLayer(1, integers("token_ids", DType.I64, 2L, 4L));
    assertFails(ArrayError.BAD_SHAPE, "layer_1.made", () -> open(BATCH, false));
  }

  @Test
  void idsAreReadOnlyWhereLayersAreJoined() throws IOException {
    // without values, reads of which would fail
    arrays.addShapes(
        "a.made",
        MadeArrays.shape("acts", DType.F32, 2L, 3L, 2L),
        MadeArrays.shape("token_ids", DType.I64, 2L, 3L));
    assertThat(open(BATCH, false).geometry().examples()).isEqualTo(6);
    for (int layer = 0; layer < 2; layer++) {
      arrays.addShapes(
          "layer_%d.made".formatted(layer),
          MadeArrays.shape("acts", DType.F32, 2L, 3L, 2L),
          MadeArrays.shape("token_ids", DType.I64, 2L, 3L));
    }
    ArrayOptions files =
        new ArrayOptions(
            List.of(ArrayMapping.parse(BATCH)),
            NamePattern.parse("layer_{layer}.made"),
            List.of(),
            RaggedPolicy.ERROR,
            1);
    assertThat(ArrayDataset.openSample(arrays.location(), arrays, files).geometry().tokens())
        .isEqualTo(3);
    assertThatThrownBy(() -> ArrayDataset.open(arrays.location(), arrays, files))
        .isInstanceOf(IOException.class);
  }
}
