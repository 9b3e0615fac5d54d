package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.arrays.MadeArrays.Integers;
import org.saevhadoop.format.arrays.MadeArrays.Made;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.tensor.DType;

/** Integers in files of their own next to files of activations. */
class IntegerFilesTest {
  private static final List<Axis> AXES = List.of(Axis.EXAMPLE, Axis.TOKEN, Axis.DIM);

  private final MadeArrays arrays = new MadeArrays();

  /** Adds a file of examples of 3 tokens. */
  private void acts(String file, int first, int layer, int examples) {
    arrays.add(
        file,
        new Made(
            ArrayFile.UNNAMED,
            new int[] {first, layer, 0, 0},
            new int[] {examples, 1, 3, 2},
            AXES,
            false));
  }

  private void integers(String file, String name, List<Long> shape, long... values) {
    arrays.add(file, List.of(), List.of(new Integers(name, DType.I64, shape, values, false)));
  }

  private void integers(String file, long... values) {
    integers(file, ArrayFile.UNNAMED, List.of(values.length / 3L, 3L), values);
  }

  private static ArrayOptions options(String ragged, String... masks) {
    return new ArrayOptions(
        List.of(),
        null,
        List.of(),
        RaggedPolicy.parse(ragged),
        1,
        List.of(masks).stream().map(MaskChoice::parse).toList(),
        false,
        Optional.empty());
  }

  private ArrayDataset open(ArrayOptions options) throws IOException {
    return ArrayDataset.open(arrays.location(), arrays, options);
  }

  private ArrayDataset open() throws IOException {
    return open(options("error"));
  }

  /** Opens a dataset with its survey, as a task does. */
  private ArrayDataset again(ArrayOptions options) throws IOException {
    ArraySurvey survey = ArraySurvey.parse(open(options).survey().toString());
    return ArrayDataset.open(arrays.location(), arrays, options, survey);
  }

  @Test
  void tokenIdsAreThoseOfTheOnlyFileOfActivations() throws IOException {
    acts("X.made", 0, 0, 2);
    integers("input_ids.made", 5, 6, 7, 8, 9, 10);
    for (ArrayDataset dataset : List.of(open(), again(options("error")))) {
      assertThat(dataset.tokenArrays().names()).containsExactly("input_ids");
      assertThat(MadeArrays.integers(dataset, 0))
          .containsExactly(List.of(5L, 6L, 7L), List.of(8L, 9L, 10L));
      assertThat(dataset.geometry().examples()).isEqualTo(2);
    }
  }

  @Test
  void readingTheFilesGivesWhatOneFileOfAllArraysGives() throws IOException {
    long[] mask = {1, 1, 0, 1, 1, 1};
    acts("X.made", 0, 0, 2);
    integers("attention_mask.made", mask);
    integers("cluster.made", 4, 5, 6, 7, 8, 9);
    MadeArrays one = new MadeArrays();
    one.addTokens(
        "X.made",
        MadeArrays.integers("attention_mask", mask),
        MadeArrays.integers("cluster", 4, 5, 6, 7, 8, 9));
    for (String ragged : List.of("flatten", "pad:4", "truncate:2")) {
      ArrayDataset expected = one.open(ragged);
      for (ArrayDataset dataset : List.of(open(options(ragged)), again(options(ragged)))) {
        assertThat(dataset.geometry()).isEqualTo(expected.geometry());
        assertThat(MadeArrays.blocks(dataset)).isEqualTo(MadeArrays.blocks(expected));
        assertThat(dataset.tokenArrays().names()).isEqualTo(expected.tokenArrays().names());
        for (int i = 0; i < expected.tokenArrays().names().size(); i++) {
          assertThat(MadeArrays.integers(dataset, i)).isEqualTo(MadeArrays.integers(expected, i));
        }
      }
    }
  }

  @Test
  void aMaskThatIsNamedMayBeInAFileOfItsOwn() throws IOException {
    acts("X.made", 0, 0, 2);
    integers("special.made", 0, 1, 1, 0, 1, 1);
    assertThat(open(options("flatten", "special=drop")).geometry().examples()).isEqualTo(4);
    assertThat(open(options("flatten")).geometry().examples()).isEqualTo(6);
    assertFails(ArrayError.NO_MATCH, "X.made", () -> open(options("flatten", "other=drop")));
  }

  @Test
  void layersOfTheSameExamplesShareTheirIntegers() throws IOException {
    acts("layer_3.made", 0, 3, 2);
    acts("layer_11.made", 0, 11, 2);
    integers("tokens.made", 5, 6, 7, 8, 9, 10);
    ArrayDataset dataset = again(options("error"));
    assertThat(dataset.geometry().layers()).containsExactly(3, 11);
    assertThat(MadeArrays.integers(dataset, 0).get(1)).containsExactly(8L, 9L, 10L);
  }

  @Test
  void integersOfEachLayerAreThoseOfTheFirst() throws IOException {
    acts("layer_3.made", 0, 3, 2);
    acts("layer_11.made", 0, 11, 2);
    for (String layer : List.of("3", "11")) {
      integers("layer_%s_cluster.made".formatted(layer), 5, 6, 7, 8, 9, 10);
    }
    ArrayDataset dataset = again(options("error"));
    assertThat(open().warnings()).noneMatch(line -> line.contains("left out"));
    assertThat(dataset.tokenArrays().names()).hasSize(1);
    assertThat(MadeArrays.integers(dataset, 0).get(0)).containsExactly(5L, 6L, 7L);
  }

  @Test
  void numbersInNamesJoinIntegersToTheirPart() throws IOException {
    acts("acts_9.made", 0, 0, 1);
    acts("acts_10.made", 1, 0, 2);
    integers("ids_9.made", 1, 2, 3);
    integers("ids_10.made", 4, 5, 6, 7, 8, 9);
    ArrayDataset dataset = again(options("error"));
    assertThat(dataset.tokenArrays().names()).containsExactly("ids");
    assertThat(MadeArrays.integers(dataset, 0))
        .containsExactly(List.of(1L, 2L, 3L), List.of(4L, 5L, 6L), List.of(7L, 8L, 9L));
  }

  @Test
  void integersOfSomethingElseAreLeftOutWithOneWarning() throws IOException {
    acts("X.made", 0, 0, 2);
    integers("labels.made", ArrayFile.UNNAMED, List.of(2L), 0, 1);
    integers("splits.made", ArrayFile.UNNAMED, List.of(2L), 0, 1);
    assertThat(open().tokenArrays().names()).isEmpty();
    assertThat(open().warnings())
        .filteredOn(line -> line.contains("integers"))
        .containsExactly(
            "/data/labels.made: holds integers that match no tokens: they are left out (also in 1"
                + " other file)");
  }

  @Test
  void integersOfAllPartsAreLeftOutWithAWarning() throws IOException {
    acts("acts_0.made", 0, 0, 1);
    acts("acts_1.made", 1, 0, 1);
    integers("labels.made", ArrayFile.UNNAMED, List.of(1L, 3L), 0, 1, 2);
    assertThat(open().tokenArrays().names()).isEmpty();
    assertThat(open().warnings()).anyMatch(line -> line.startsWith("/data/labels.made: holds"));
  }

  @Test
  void aMaskThatBelongsToNoFileIsRefused() throws IOException {
    acts("acts_0.made", 0, 0, 1);
    acts("acts_1.made", 1, 0, 1);
    integers("attention_mask.made", 1, 1, 0, 1, 1, 1);
    assertFails(ArrayError.AMBIGUOUS, "/data/attention_mask.made", this::open);
    assertThat(open(options("error").leavingOutTokens()).geometry().examples()).isEqualTo(2);
  }

  @Test
  void tokenIdsOfAnotherLengthAreRefusedAsInOneFile() {
    acts("X.made", 0, 0, 2);
    integers("token_ids.made", 1, 2, 3);
    assertFails(ArrayError.AMBIGUOUS, "X.made", this::open);
  }

  @Test
  void filesOfIntegersAloneAreNoActivations() {
    integers("input_ids.made", 1, 2, 3);
    assertFails(ArrayError.NO_MATCH, "input_ids.made", this::open);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X.made Z.made",
        "attn_0.made attn_1.made mlp_0.made mlp_1.made",
        "train_0.made test_0.made",
        "acts_Train.made acts_Val.made",
        "acts.made acts (1).made",
        "acts_0.made acts_1.made acts_1 - Copy.made"
      })
  void filesOfSeveralDatasetsAreNotMerged(String names) throws IOException {
    for (String name : names.split(".made ?")) {
      acts(name + ".made", 0, 0, 2);
    }
    assertFails(ArrayError.AMBIGUOUS, "/data", this::open);
    ArrayOptions all =
        new ArrayOptions(
            List.of(), NamePattern.parse("{shard}.made"), List.of(), RaggedPolicy.ERROR, 1);
    assertThat(open(all).geometry().examples()).isGreaterThan(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "training.made",
        "contest.made latest.made",
        "a (1).made a (2).made",
        "P1.made Q9.made"
      })
  void otherNamesAreThoseOfOneDataset(String names) throws IOException {
    for (String name : names.split(".made ?")) {
      acts(name + ".made", 0, 0, 1);
    }
    assertThat(open().geometry().tokens()).isEqualTo(3);
  }
}
