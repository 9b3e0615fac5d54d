package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.IntegerFiles;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.tensor.DType;

/** How arrays of several files are found, and what is refused. */
class ArrayAssemblyTest {
  private final MadeArrays arrays = new MadeArrays();

  private static ArrayOptions options(String files, String... mappings) {
    return new ArrayOptions(
        Arrays.stream(mappings).map(ArrayMapping::parse).toList(),
        files == null ? null : NamePattern.parse(files),
        List.of(),
        RaggedPolicy.ERROR,
        1);
  }

  private static FileArray floats(String name, Long... shape) {
    return MadeArrays.shape(name, DType.F32, shape);
  }

  private static FileArray ids(String name, Long... shape) {
    return MadeArrays.shape(name, DType.I64, shape);
  }

  private ArrayDataset open(ArrayOptions options) throws IOException {
    return ArrayDataset.open(arrays.location(), arrays, options);
  }

  private List<String> files(ArrayOptions options) throws IOException {
    return open(options).shards().stream().map(shard -> shard.name()).toList();
  }

  @Test
  void theRankSaysWhichDimensionsAnArrayHas() throws IOException {
    arrays.addShapes("a.made", floats(ArrayFile.UNNAMED, 4L, 3L, 5L, 2L));
    assertThat(open(ArrayOptions.DEFAULT).geometry())
        .isEqualTo(new Geometry(4, List.of(0, 1, 2), 5, 2));
    arrays.addShapes("a.made", floats(ArrayFile.UNNAMED, 4L, 5L, 2L));
    assertThat(open(ArrayOptions.DEFAULT).geometry()).isEqualTo(new Geometry(4, List.of(0), 5, 2));
    arrays.addShapes("a.made", floats(ArrayFile.UNNAMED, 6L, 2L));
    assertThat(open(ArrayOptions.DEFAULT).geometry()).isEqualTo(new Geometry(6, List.of(0), 1, 2));
    ArrayOptions three = new ArrayOptions(List.of(), null, List.of(), RaggedPolicy.ERROR, 3);
    assertThat(open(three).geometry()).isEqualTo(new Geometry(2, List.of(0), 3, 2));
    ArrayOptions four = new ArrayOptions(List.of(), null, List.of(), RaggedPolicy.ERROR, 4);
    assertFails(ArrayError.BAD_SHAPE, "a.made", () -> open(four));
  }

  @Test
  @Timeout(180) // a search of all arrays for each one took five minutes on an idle machine
  void aFileMayHoldSixtyThousandVectors() throws IOException {
    FileArray[] vectors = new FileArray[60_000];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = floats("array." + i, 8L);
    }
    arrays.addShapes("a.made", vectors);
    assertThat(open(options(null, "array.{example}=dim")).geometry().examples())
        .isEqualTo(vectors.length);
  }

  @Test
  void tokenIdsSayWhichDimensionIsToken() throws IOException {
    arrays.addShapes("a.made", floats("hidden_states", 5L, 3L, 2L), ids("token_ids", 5L));
    assertThat(open(ArrayOptions.DEFAULT).geometry())
        .isEqualTo(new Geometry(1, List.of(0, 1, 2), 5, 2));
    arrays.addShapes("a.made", floats("hidden_states", 3L, 5L, 2L), ids("token_ids", 5L));
    assertThat(open(ArrayOptions.DEFAULT).geometry())
        .isEqualTo(new Geometry(1, List.of(0, 1, 2), 5, 2));
    arrays.addShapes("a.made", floats("states", 4L, 5L, 2L), ids("input_ids", 4L, 5L));
    assertThat(open(ArrayOptions.DEFAULT).geometry()).isEqualTo(new Geometry(4, List.of(0), 5, 2));
  }

  @Test
  void dimensionsThatTokenIdsLeaveOpenAreAskedFor() {
    arrays.addShapes("a.made", floats("hidden_states", 5L, 5L, 2L), ids("token_ids", 5L));
    assertFails(ArrayError.AMBIGUOUS, "a.made", () -> open(ArrayOptions.DEFAULT));
    arrays.addShapes("a.made", floats("hidden_states", 4L, 3L, 2L), ids("token_ids", 5L));
    assertFails(ArrayError.AMBIGUOUS, "a.made", () -> open(ArrayOptions.DEFAULT));
  }

  @Test
  void severalArraysThatMayBeActivationsAreAskedFor() {
    arrays.addShapes("a.made", floats("a", 4L, 3L, 2L), floats("b", 4L, 3L, 2L));
    assertFails(ArrayError.AMBIGUOUS, "a.made", () -> open(ArrayOptions.DEFAULT));
  }

  @Test
  void arraysWithoutFloatsAreNoActivations() {
    arrays.addShapes("a.made", ids("token_ids", 4L, 3L));
    assertFails(ArrayError.NO_MATCH, "a.made", () -> open(ArrayOptions.DEFAULT));
  }

  @Test
  void layersAreNumberedByTheNamesOfArraysFilesAndFolders() throws IOException {
    arrays.addShapes(
        "a.made",
        floats("blocks.10.hook_resid_post", 4L, 3L, 2L),
        floats("blocks.9.hook_resid_post", 4L, 3L, 2L));
    assertThat(open(ArrayOptions.DEFAULT).geometry().layers()).containsExactly(9, 10);
    assertThat(open(options(null, "blocks.{layer}.{hook}=example,token,dim")).geometry().layers())
        .containsExactly(9, 10);
  }

  @Test
  void filesOfOneLayerEachAreJoined() throws IOException {
    for (int layer : new int[] {13, 7}) {
      for (int part : new int[] {0, 10, 9}) {
        arrays.addShapes(
            "layer_%d.%d.made".formatted(layer, part),
            floats(ArrayFile.UNNAMED, 1L + part, 3L, 2L));
      }
    }
    ArrayDataset dataset = open(ArrayOptions.DEFAULT);
    assertThat(dataset.geometry()).isEqualTo(new Geometry(22, List.of(7, 13), 3, 2));
    assertThat(dataset.shards().stream().map(shard -> shard.examples()))
        .containsExactly(1L, 10L, 11L);
  }

  @Test
  void patternsFindFilesInFolders() throws IOException {
    for (String hook : new String[] {"blocks.3.hook", "blocks.21.hook"}) {
      for (String chunk : new String[] {"2", "10"}) {
        arrays.addShapes(hook + "/chunk-" + chunk + ".x", floats("activation", 4L, 3L, 2L));
      }
      arrays.addShapes(hook + "/notes.x", ids("none", 1L));
    }
    ArrayOptions options = options("{hook}/chunk-{shard}.x", "activation=example,token,dim");
    assertThat(open(options).geometry()).isEqualTo(new Geometry(8, List.of(3, 21), 3, 2));
    assertThat(files(options))
        .containsExactly("blocks.3.hook/chunk-2.x#0", "blocks.3.hook/chunk-10.x#1");
  }

  @Test
  void hooksWithoutNumbersAreNumberedByTheirNames() throws IOException {
    for (String hook : new String[] {"attn", "mlp"}) {
      arrays.addShapes(hook + "/0.x", floats("activation", 4L, 3L, 2L));
    }
    ArrayOptions unnamed = options("{hook}/{shard}.x");
    assertFails(ArrayError.NO_LAYER_NUMBER, "0.x", () -> open(unnamed));
    ArrayOptions named =
        new ArrayOptions(List.of(), unnamed.files(), List.of("mlp", "attn"), RaggedPolicy.ERROR, 1);
    assertThat(open(named).geometry().layers()).containsExactly(0, 1);
    assertThat(files(named)).containsExactly("mlp/0.x#0");
  }

  @Test
  void arraysOfTheSameLayerAndExamplesAreRefused() {
    arrays.addShapes("a.made", floats("a", 4L, 3L, 2L), floats("b", 4L, 3L, 2L));
    ArrayOptions options = options(null, "a=example,token,dim", "b=example,token,dim");
    assertFails(ArrayError.DUPLICATE, "/data", () -> open(options));
  }

  @Test
  void aLayerThatIsMissingIsRefused() {
    arrays.addShapes("part0_layer_1.made", floats(ArrayFile.UNNAMED, 4L, 3L, 2L));
    arrays.addShapes("part0_layer_2.made", floats(ArrayFile.UNNAMED, 4L, 3L, 2L));
    arrays.addShapes("part1_layer_1.made", floats(ArrayFile.UNNAMED, 4L, 3L, 2L));
    assertFails(ArrayError.MISSING_LAYER, "/data", () -> open(ArrayOptions.DEFAULT));
  }

  @Test
  void filesOfSeveralKindsForALayerAreRefused() throws IOException {
    for (String kind : new String[] {"attn", "mlp"}) {
      arrays.addShapes("layer_1_" + kind + ".made", floats(ArrayFile.UNNAMED, 4L, 3L, 2L));
    }
    assertFails(ArrayError.AMBIGUOUS, "/data", () -> open(ArrayOptions.DEFAULT));
    assertThat(files(options("layer_{layer}_mlp.made"))).containsExactly("layer_1_mlp.made");
  }

  @Test
  void aNameWithDifferentNumbersOfLayersIsRefused() {
    arrays.addShapes("layers.1.block_2.made", floats(ArrayFile.UNNAMED, 4L, 3L, 2L));
    assertFails(ArrayError.AMBIGUOUS, "layers.1.block_2.made", () -> open(ArrayOptions.DEFAULT));
  }

  @Test
  void arraysThatDifferAreRefused() {
    arrays.addShapes("0.made", floats(ArrayFile.UNNAMED, 4L, 3L, 2L));
    arrays.addShapes("1.made", floats(ArrayFile.UNNAMED, 4L, 3L, 1L));
    assertFails(ArrayError.MIXED_SHAPES, "/data", () -> open(ArrayOptions.DEFAULT));
    arrays.addShapes("1.made", floats(ArrayFile.UNNAMED, 3L, 5L, 2L));
    assertFails(DatasetError.RAGGED, "/data", () -> open(ArrayOptions.DEFAULT));
    arrays.addShapes("a_layer_1.made", floats(ArrayFile.UNNAMED, 4L, 3L, 2L));
    arrays.addShapes("a_layer_2.made", floats(ArrayFile.UNNAMED, 5L, 3L, 2L));
    ArrayOptions options = options("a_layer_{layer}.made");
    assertFails(ArrayError.MIXED_SHAPES, "/data", () -> open(options));
  }

  @Test
  void aFirstDimensionOfOneSizeIsNotTakenForExamples() throws IOException {
    ArrayOptions flatten =
        new ArrayOptions(List.of(), null, List.of(), RaggedPolicy.parse("flatten"), 1);
    arrays.addShapes("0.made", floats(ArrayFile.UNNAMED, 13L, 3L, 2L));
    arrays.addShapes("1.made", floats(ArrayFile.UNNAMED, 13L, 5L, 2L));
    assertFails(ArrayError.AMBIGUOUS, "/data", () -> open(ArrayOptions.DEFAULT));
    assertFails(ArrayError.AMBIGUOUS, "/data", () -> open(flatten));
    arrays.addShapes("1.made", floats(ArrayFile.UNNAMED, 12L, 5L, 2L));
    assertThat(open(flatten).geometry().examples()).isEqualTo(13 * 3 + 12 * 5);
  }

  @Test
  void patternsWithoutAMatchAreRefused() {
    arrays.addShapes("a.made", floats("a", 4L, 3L, 2L));
    assertFails(ArrayError.NO_MATCH, "/data", () -> open(options("{shard}.npy")));
    assertFails(
        ArrayError.NO_MATCH, "a.made", () -> open(options(null, "b.{layer}=example,token,dim")));
    assertFails(ArrayError.BAD_SHAPE, "a.made", () -> open(options(null, "a=example,dim")));
  }

  @Test
  void blocksThatAreContiguousInOneFileAreReadInPlace() throws IOException {
    arrays.addShapes("a.made", floats(ArrayFile.UNNAMED, 4L, 3L, 5L, 2L));
    assertThat(files(ArrayOptions.DEFAULT)).containsExactly("a.made");
    assertThat(files(options(null, "array=layer,example,token,dim"))).containsExactly("a.made");
    assertThat(files(options(null, "array=example,token,layer,dim"))).containsExactly("a.made#0");
  }

  @Test
  void aWarningThatManyFilesHaveIsOneWarning() throws IOException {
    arrays.warn("an array is not read");
    arrays.addShapes("0.made", floats(ArrayFile.UNNAMED, 4L, 2L));
    assertThat(open(ArrayOptions.DEFAULT).warnings())
        .containsExactly("/data/0.made: an array is not read");
    arrays.addShapes("1.made", floats(ArrayFile.UNNAMED, 4L, 2L));
    arrays.addShapes("2.made", floats(ArrayFile.UNNAMED, 4L, 2L));
    assertThat(open(ArrayOptions.DEFAULT).warnings())
        .containsExactly("/data/0.made: an array is not read (also in 2 other files)");
  }

  @Test
  void theOnlyIndexOfALayerDimensionIsAnAssumedNumber() throws IOException {
    ArrayOptions layers = options(null, "acts=example,layer,token,dim");
    arrays.addShapes("acts.made", floats("acts", 4L, 1L, 3L, 2L));
    assertThat(open(layers).isLayerAssumed()).isTrue();
    arrays.addShapes("acts.made", floats("acts", 4L, 2L, 3L, 2L));
    assertThat(open(layers).isLayerAssumed()).isFalse();
  }

  @Test
  void sidecarsOfFurtherLayersAreAWarning() throws IOException {
    arrays.addShapes("layer_5.made", floats(ArrayFile.UNNAMED, 4L, 3L, 2L));
    arrays.addShapes("layer_9.made", floats(ArrayFile.UNNAMED, 4L, 3L, 2L));
    arrays.addOther("layer_9.examples.jsonl.gz", new byte[0]);
    assertThat(open(ArrayOptions.DEFAULT).warnings())
        .containsExactly(
            "/data/layer_9.made: its sample metadata is left out, because layer_5.made, the file of"
                + " the first layer, has none");
    arrays.addOther("layer_5.examples.jsonl.gz", new byte[0]);
    assertThat(open(ArrayOptions.DEFAULT).warnings())
        .containsExactly(
            "/data/layer_9.made: its sample metadata is left out and not compared: that of the first"
                + " layer, in layer_5.made, is kept");
    assertThat(open(options("layer_9.made")).warnings()).isEmpty();
  }

  @Test
  void dimensionsThatNothingNamesAreAWarningWithTheOthers() throws IOException {
    arrays.addShapes("acts.made", floats("acts", 4L, 3L, 2L));
    assertThat(open(ArrayOptions.DEFAULT).warnings())
        .containsExactly(
            "/data/acts.made: array acts is read as example,token,dim, because nothing names its"
                + " dimensions (--tensor acts=example,token,dim confirms this; also possible:"
                + " example,layer,dim or layer,example,dim)");
    assertThat(open(options(null, "acts=example,layer,dim")).warnings()).isEmpty();
    arrays.addShapes("acts.made", floats("acts", 4L, 3L, 5L, 2L));
    assertThat(open(ArrayOptions.DEFAULT).warnings())
        .singleElement()
        .asString()
        .contains("as example,layer,token,dim", "layer,example,token,dim or example,token,layer");
  }

  @Test
  void vectorsInFilesOfDifferentLengthsAreAWarningUnlessSomethingNamesThem() throws IOException {
    addLengths("acts_%d.made", 12, 9, 10);
    assertThat(open(ArrayOptions.DEFAULT).warnings())
        .containsExactly(
            "/data/acts_0.made: array acts is read as example,dim, because nothing names its"
                + " dimensions (--tensor acts=example,dim confirms this; also possible: token,dim"
                + " with --ragged) (also in 2 other files)");
    assertThat(open(options(null, "acts=example,dim")).warnings()).isEmpty();
    assertThat(open(options("acts_{shard}.made")).warnings()).hasSize(1);
    assertThat(open(with(RaggedPolicy.parse("flatten"), 1)).warnings()).isEmpty();
    addLengths("acts_%d.made", 12, 8, 4);
    assertThat(open(with(RaggedPolicy.ERROR, 4)).warnings()).isEmpty();
  }

  @Test
  void partsOfOneDatasetAreNoWarning() throws IOException {
    int[] lengths = new int[12];
    Arrays.fill(lengths, 10);
    lengths[11] = 7; // the last of the numbers, not of the names
    addLengths("acts_%d.made", lengths);
    assertThat(open(ArrayOptions.DEFAULT).warnings()).isEmpty();
  }

  @Test
  void vectorsOfNumberedLayersAreNoWarning() throws IOException {
    addLengths("part_%d_layer_3.made", 12, 9, 10);
    assertThat(open(ArrayOptions.DEFAULT).warnings()).isEmpty();
  }

  private void addLengths(String file, int... lengths) {
    for (int i = 0; i < lengths.length; i++) {
      arrays.addShapes(file.formatted(i), floats("acts", (long) lengths[i], 2L));
    }
  }

  private static ArrayOptions with(RaggedPolicy ragged, int tokens) {
    return new ArrayOptions(List.of(), null, List.of(), ragged, tokens);
  }

  @Test
  void namesOfLayersAndTokenIdsNameDimensions() throws IOException {
    arrays.addShapes("layer_3.made", floats("acts", 4L, 3L, 2L));
    assertThat(open(ArrayOptions.DEFAULT).warnings()).isEmpty();
    arrays.addShapes("layer_3.made", floats("blocks.3.acts", 4L, 3L, 2L));
    assertThat(open(ArrayOptions.DEFAULT).warnings()).isEmpty();
  }

  @Test
  void partsOfFilesFollowOneAnotherInEachLayer() throws IOException {
    List<Axis> axes = List.of(Axis.EXAMPLE, Axis.TOKEN, Axis.DIM);
    for (int layer = 0; layer < 2; layer++) {
      for (int file = 0; file < 2; file++) {
        List<List<MadeArrays.Made>> parts = new ArrayList<>();
        List<List<MadeArrays.Integers>> ids = new ArrayList<>();
        for (int part = 0; part < 2; part++) {
          int examples = 2 - part;
          int[] first = {file * 3 + part * 2, layer, 0, 0};
          parts.add(
              List.of(new MadeArrays.Made("x", first, new int[] {examples, 1, 2, 3}, axes, false)));
          long[] values = LongStream.range(first[0] * 2L, (first[0] + examples) * 2L).toArray();
          ids.add(
              List.of(
                  new MadeArrays.Integers(
                      "input_ids", DType.I64, List.of((long) examples, 2L), values, false)));
        }
        arrays.addParts("layer_%d.%d.made".formatted(layer, file), parts, ids);
      }
    }
    ArrayDataset dataset = open(ArrayOptions.DEFAULT);
    assertThat(dataset.geometry()).isEqualTo(new Geometry(6, List.of(0, 1), 2, 3));
    assertThat(dataset.shards().stream().map(shard -> shard.examples()))
        .containsExactly(2L, 1L, 2L, 1L);
    assertThat(dataset.warnings()).isEmpty();
    assertThat(MadeArrays.integers(dataset, 0).get(5)).containsExactly(10L, 11L);
    List<List<Float>> blocks = MadeArrays.blocks(dataset);
    for (int block = 0; block < blocks.size(); block++) {
      assertThat(blocks.get(block).get(0)).isEqualTo(MadeArrays.value(block / 2, block % 2, 0, 0));
    }
    arrays.read();
    ArraySurvey survey = ArraySurvey.parse(dataset.survey().toString());
    ArrayDataset surveyed =
        ArrayDataset.open(arrays.location(), arrays, ArrayOptions.DEFAULT, survey);
    assertThat(arrays.read()).isEmpty();
    assertThat(MadeArrays.blocks(surveyed)).isEqualTo(blocks);
  }

  @Test
  void integersInFilesBesideThoseOfActivationsMustHaveTheSameParts() throws IOException {
    List<List<FileArray>> ids =
        List.of(List.of(ids("token_ids", 2L)), List.of(ids("token_ids", 1L)));
    ArrayFile beside = ArrayFile.ofParts(ids, List.of());
    IntegerFiles files = IntegerFiles.of(Map.of("ids.made", beside), List.of("x.made"), true);
    ArrayFile two =
        ArrayFile.ofParts(
            List.of(List.of(floats("x", 2L, 3L)), List.of(floats("x", 1L, 3L))), List.of());
    assertThat(files.with("x.made", two).parts())
        .extracting(part -> part.arrays().get(1).shape())
        .containsExactly(List.of(2L), List.of(1L));
    ArrayFile one = ArrayFile.of(List.of(floats("x", 3L, 3L)));
    assertThat(files.with("x.made", one)).isSameAs(one);
  }
}
