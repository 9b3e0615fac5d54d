package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.arrays.StoredArrays.Container;
import org.saevhadoop.format.arrays.StoredArrays.Stored;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.tensor.DType;

/** Dimensions that are one axis, such as grids of patches and heads, and those of a fixed index. */
class JoinedAxesTest {
  private final StoredArrays npy = new StoredArrays(Container.NPY);
  private final StoredArrays npz = new StoredArrays(Container.NPZ);

  private static ArrayOptions options(String ragged, String... mappings) {
    List<ArrayMapping> parsed = Stream.of(mappings).map(ArrayMapping::parse).toList();
    return new ArrayOptions(parsed, null, List.of(), RaggedPolicy.parse(ragged), 1);
  }

  private static ArrayDataset open(StoredArrays files, String... mappings) throws IOException {
    return files.open(options("error", mappings));
  }

  private static void assertRefused(
      ErrorKind kind, String file, String message, ThrowingCallable code) {
    assertThat(assertFails(kind, file, code)).hasMessageContaining(message);
  }

  private static List<Float> block(int... values) {
    List<Float> block = new ArrayList<>();
    for (int value : values) {
      block.add((float) value);
    }
    return block;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "example,token,token,dim; 1; 9; 4",
        "example,token,dim,dim; 1; 3; 12",
        "example,example,token,dim; 1; 3; 4",
        "layer,layer,token,dim; 6; 3; 4",
        "example,hook:1,token,dim; 1; 3; 4",
        "token,token,token,dim; 1; 18; 4"
      })
  void contiguousBlocksAreReadInPlace(String axes, int layers, int tokens, int dim)
      throws IOException {
    npy.add("a", Stored.of("array", "<f4", 2, 3, 3, 4));
    ArrayDataset dataset = open(npy, "array=" + axes);
    assertThat(dataset.geometry().layers()).hasSize(layers);
    assertThat(dataset.geometry().tokens()).isEqualTo(tokens);
    assertThat(dataset.geometry().dim()).isEqualTo(dim);
    assertThat(dataset.survey().groups()).allMatch(ArraySurvey.Group::isDirect);
  }

  @Test
  void channelsMayBeInFrontOfAGrid() throws IOException {
    npy.add("a", Stored.of("array", "<f4", 1, 2, 2, 2));
    ArrayDataset dataset = open(npy, "array=example,dim,token,token");
    assertThat(MadeArrays.blocks(dataset)).containsExactly(block(0, 4, 1, 5, 2, 6, 3, 7));
    assertThat(dataset.survey().groups()).noneMatch(ArraySurvey.Group::isDirect);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2 2 2", "2 4", "2 2 1 2"})
  void aMaskOfAGridLeavesOutItsTokens(String shape) throws IOException {
    long[] sizes = Stream.of(shape.split(" ")).mapToLong(Long::parseLong).toArray();
    npz.add("a", Stored.of("acts", "<f4", 2, 2, 2, 1), Stored.of("attention_mask", "<i8", sizes));
    ArrayDataset dataset = npz.open(options("flatten", "acts=example,token,token,dim"));
    assertThat(MadeArrays.blocks(dataset))
        .containsExactly(
            block(1), block(2), block(3), block(4), block(5), block(6), block(7)); // 0 is left out
  }

  @ParameterizedTest
  @ValueSource(strings = {"2 3 3", "2 9"})
  void tokenIdsShowAGrid(String shape) throws IOException {
    long[] sizes = Stream.of(shape.split(" ")).mapToLong(Long::parseLong).toArray();
    npz.add("a", Stored.of("acts", "<f4", 2, 3, 3, 4), Stored.of("token_ids", "<i8", sizes));
    ArrayDataset dataset = npz.open(ArrayOptions.DEFAULT);
    assertThat(dataset.geometry().tokens()).isEqualTo(9);
    assertThat(dataset.tokenArrays().names()).containsExactly("token_ids");
    assertThat(MadeArrays.integers(dataset, 0).get(1)).startsWith(9L).endsWith(17L);
  }

  @Test
  void tokenIdsOfAnotherLengthThanAGridAreRefused() {
    npz.add("a", Stored.of("acts", "<f4", 2, 3, 3, 1), Stored.of("token_ids", "<i8", 2, 8));
    assertRefused(
        ArrayError.BAD_SHAPE,
        "a.npz",
        "array token_ids has the shape [2, 8], but the tokens of array acts have the shape [2, 3,"
            + " 3] (expected the same shape; --no-sample-metadata ignores this array)",
        () -> open(npz, "acts=example,token,token,dim"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3 3", "9", "2"})
  void integersOfExamplesOrOfPositionsInAGridAreNotOfItsTokens(String shape) throws IOException {
    long[] sizes = Stream.of(shape.split(" ")).mapToLong(Long::parseLong).toArray();
    npz.add("a", Stored.of("acts", "<f4", 2, 3, 3, 1), Stored.of("places", "<i8", sizes));
    ArrayDataset dataset = open(npz, "acts=example,token,token,dim");
    assertThat(dataset.warnings()).isEmpty();
    assertThat(dataset.tokenArrays().names()).isEmpty();
  }

  @Test
  void indexesOfOneArrayMayBeDifferentLayers() throws IOException {
    npz.add("a", Stored.of("acts", "<f4", 2, 3, 1, 2));
    ArrayDataset dataset =
        open(
            npz, "acts=layer:7,example,hook:-1,token,dim", "acts=layer:3,example,hook:0,token,dim");
    assertThat(dataset.geometry().layers()).containsExactly(3, 7);
    assertThat(MadeArrays.blocks(dataset))
        .containsExactly(block(0, 1), block(4, 5), block(6, 7), block(10, 11));
    assertThat(dataset.survey().groups()).allMatch(ArraySurvey.Group::isDirect);
  }

  @Test
  void indexesOfOneArrayNeedNumbersOfLayers() {
    npz.add("a", Stored.of("acts", "<f4", 2, 3, 1, 2));
    assertRefused(
        ArrayError.DUPLICATE,
        "/data",
        "acts of a.npz and acts of a.npz hold layer 0 of the same examples",
        () -> open(npz, "acts=example,hook:0,token,dim", "acts=example,hook:1,token,dim"));
  }

  @Test
  void aMappingMayBeGivenTwice() throws IOException {
    npz.add("a", Stored.of("acts", "<f4", 2, 3, 2));
    String mapping = "acts=example,token,dim";
    assertThat(open(npz, mapping, mapping).geometry().layers()).containsExactly(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "hook:3; has no index 3 in the dimension hook (expected -3 to 2)",
        "hook:-4; has no index -4 in the dimension hook (expected -3 to 2)"
      })
  void anIndexThatAnArrayLacksIsRefused(String word, String problem) {
    npy.add("a", Stored.of("array", "<f4", 2, 3, 4));
    assertRefused(
        ArrayError.BAD_SHAPE,
        "a.npy",
        "the array of shape [2, 3, 4] " + problem,
        () -> open(npy, "array=example," + word + ",dim"));
  }

  @Test
  void aDimensionOfSize0HasNoIndex() {
    npy.add("a", Stored.of("array", "<f4", 2, 0, 4));
    assertRefused(
        ArrayError.BAD_SHAPE,
        "a.npy",
        "has no index 0 in the dimension hook (expected a size of 1 or more)",
        () -> open(npy, "array=example,hook:0,dim"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"example,layer,layer,dim; layers", "example,dim,dim; dims"})
  void aDimensionOfSize0MakesItsAxisEmpty(String axes, String missing) {
    int count = axes.split(",").length;
    npy.add(
        "a",
        Stored.of("array", "<f4", count == 4 ? new long[] {2, 3, 0, 4} : new long[] {2, 3, 0}));
    assertRefused(
        DatasetError.NO_VECTORS, "a.npy", "has 0 " + missing, () -> open(npy, "array=" + axes));
  }

  @Test
  void anAxisOfTooManyElementsIsRefused() {
    MadeArrays arrays = new MadeArrays();
    long size = 1L << 40;
    arrays.addShapes("a.made", MadeArrays.shape("acts", DType.F32, 0L, size, size, 2L));
    assertRefused(
        ArrayError.BAD_SHAPE,
        "a.made",
        "is too large for one axis (expected fewer than 2^63 elements)",
        () ->
            ArrayDataset.open(
                arrays.location(), arrays, options("error", "acts=example,token,token,dim")));
  }

  @Test
  void vectorsAtVaryingDistancesAreNoTokensOfOneExample() {
    npy.add("a", new Stored("array", "<f4", new long[] {4, 3, 2}, new int[] {1, 0, 2}));
    ArrayOptions options =
        new ArrayOptions(
            List.of(ArrayMapping.parse("array=example,example,dim")),
            null,
            List.of(),
            RaggedPolicy.ERROR,
            2);
    assertRefused(
        ArrayError.BAD_SHAPE,
        "a.npy",
        "the array has vectors that are not evenly spaced (expected --tensor with token dimensions"
            + " instead of --tokens-per-example 2)",
        () -> npy.open(options));
  }
}
