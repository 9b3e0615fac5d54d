package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.arrays.MadeArrays.integers;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.tensor.DType;

/**
 * Which arrays are masks and per-token integers, and what is refused. In files of Llamascopium,
 * {@code mask} and {@code attention_mask} are 0 where {@code tokens} has the id of padding or of
 * BOS (to_activations in src/llamascopium/backend/language_model.py, commit 461188bf), and vectors
 * are trained on where {@code mask} is not 0 (ActivationTransformer in
 * src/llamascopium/activation/processors/activation.py, commit 0f0d564a).
 */
class ArrayMasksTest {
  private final MadeArrays arrays = new MadeArrays();

  private static boolean isInPlace(ArrayDataset dataset) {
    return dataset.shards().stream().noneMatch(shard -> shard.name().contains("#"));
  }

  @Test
  void aMaskOfOnesLeavesBlocksWhereTheyAre() throws IOException {
    arrays.addTokens("a.made", integers("attention_mask", 1, 1, 1, 1, 2, -1));
    assertThat(isInPlace(arrays.open("error"))).isTrue();
    assertThat(arrays.open("error").tokenArrays().isEmpty()).isTrue();
  }

  @Test
  void tokensAfterThoseThatAreReadMayBeMasked() throws IOException {
    arrays.addTokens("a.made", integers("mask", 1, 1, 0, 1, 1, 1));
    assertThat(isInPlace(arrays.open("truncate:2"))).isTrue();
    assertThat(isInPlace(arrays.open("truncate:1"))).isTrue();
    assertThat(isInPlace(arrays.open("pad:3"))).isFalse();
    assertFails(DatasetError.RAGGED, "/data", () -> arrays.open("error"));
    arrays.addTokens("a.made", integers("mask", 0, 1, 1, 1, 1, 1));
    assertThat(isInPlace(arrays.open("truncate:1"))).isFalse();
    assertThat(MadeArrays.blocks(arrays.open("truncate:1")).get(0))
        .containsExactly(MadeArrays.value(0, 0, 1, 0), MadeArrays.value(0, 0, 1, 1));
  }

  @Test
  void anExampleWithoutTokensIsLeftOutOrFilledUp() throws IOException {
    arrays.addTokens(
        "a.made", integers("mask", 0, 0, 0, 1, 1, 0), integers("ids", 1, 2, 3, 4, 5, 6));
    assertFails(DatasetError.RAGGED, "/data", () -> arrays.open("error"));
    assertFails(DatasetError.RAGGED, "/data", () -> arrays.open("truncate:1"));
    ArrayDataset padded = arrays.open("pad:3");
    assertThat(padded.tokenArrays().names()).containsExactly("attention_mask", "ids");
    assertThat(MadeArrays.integers(padded, 0))
        .containsExactly(List.of(0L, 0L, 0L), List.of(1L, 1L, 0L));
    assertThat(MadeArrays.integers(padded, 1))
        .containsExactly(List.of(-1L, -1L, -1L), List.of(4L, 5L, -1L));
    assertThat(MadeArrays.integers(arrays.open("flatten"), 0))
        .containsExactly(List.of(4L), List.of(5L));
    assertThat(arrays.open("flatten").warnings())
        .containsExactly("1 sample was left out for lack of tokens");
  }

  @Test
  void masksAreKeptOrDropTokensAsIsChosen() throws IOException {
    arrays.addTokens(
        "a.made",
        integers("x.attention_mask", 1, 1, 0, 1, 1, 0),
        integers("x.loss_mask", 0, 1, 1, 0, 1, 1));
    assertThat(arrays.open("error").geometry().tokens()).isEqualTo(2);
    assertThat(arrays.open("error").tokenArrays().names()).containsExactly("loss_mask");
    assertThat(MadeArrays.integers(arrays.open("error"), 0)).containsOnly(List.of(0L, 1L));
    ArrayDataset kept = arrays.open("error", "attention_mask=keep");
    assertThat(kept.geometry().tokens()).isEqualTo(3);
    assertThat(kept.tokenArrays().names()).containsExactly("loss_mask", "token_attention_mask");
    ArrayDataset both = arrays.open("error", "x.loss_mask=drop");
    assertThat(both.geometry().tokens()).isEqualTo(1);
    assertThat(both.tokenArrays().isEmpty()).isTrue();
    assertThat(arrays.open("error", "loss_mask=drop", "x.attention_mask=keep").geometry().tokens())
        .isEqualTo(2);
  }

  @Test
  void theAttentionMaskCountsWhereBothDiffer() throws IOException {
    arrays.addTokens(
        "a.made", integers("mask", 1, 0, 0, 1, 0, 0), integers("attention_mask", 0, 1, 1, 0, 1, 1));
    arrays.addTokens(
        "b.made", integers("mask", 1, 1, 1, 1, 1, 1), integers("attention_mask", 1, 1, 0, 1, 1, 0));
    ArrayDataset dataset = arrays.open("error");
    assertThat(dataset.geometry().tokens()).isEqualTo(2);
    assertThat(dataset.tokenArrays().isEmpty()).isTrue();
    assertThat(dataset.warnings())
        .containsExactly(
            "/data/a.made: the mask differs from attention_mask, which takes precedence"
                + " (also in 1 other file)");
    arrays.addTokens(
        "a.made", integers("mask", 1, 1, 0, 1, 1, 0), integers("attention_mask", 2, 3, 0, 1, 1, 0));
    arrays.addTokens(
        "b.made", integers("mask", 1, 1, 0, 1, 1, 0), integers("attention_mask", 1, 1, 0, 1, 1, 0));
    assertThat(arrays.open("error").warnings()).isEmpty();
  }

  @Test
  void aMaskThatCannotBeOneIsRefused() {
    arrays.addShapes(
        "a.made",
        MadeArrays.shape("acts", DType.F32, 2L, 3L, 2L),
        MadeArrays.shape("mask", DType.I64, 2L, 2L));
    assertFails(ArrayError.BAD_SHAPE, "a.made", () -> arrays.open("error"));
    arrays.addShapes(
        "a.made",
        MadeArrays.shape("acts", DType.F32, 2L, 3L, 2L),
        MadeArrays.shape("mask", DType.F32, 2L, 3L),
        MadeArrays.shape("other", DType.F32, 2L, 3L));
    assertFails(ArrayError.BAD_SHAPE, "a.made", () -> arrays.open("error"));
    assertFails(
        ArrayError.BAD_SHAPE, "a.made", () -> arrays.open("error", "mask=keep", "other=drop"));
    assertFails(ArrayError.NO_MATCH, "a.made", () -> arrays.open("error", "mask=keep", "msk=drop"));
    arrays.addShapes("a.made", MadeArrays.shape("acts", DType.F32, 2L, 3L, 2L));
    assertFails(ArrayError.NO_MATCH, "a.made", () -> arrays.open("error", "msk=drop"));
  }

  @Test
  void aMaskOfAnotherShapeIsIgnoredIfItIsToBeKept() throws IOException {
    arrays.addShapes(
        "a.made",
        MadeArrays.shape("acts", DType.F32, 2L, 3L, 2L),
        MadeArrays.shape("mask", DType.I64, 3L, 3L),
        MadeArrays.shape("scalar", DType.I64));
    assertThat(arrays.open("error", "mask=keep").tokenArrays().isEmpty()).isTrue();
  }

  @Test
  void aMaskThatClaimsTooManyTokensIsRefused() {
    long many = 1L << 40;
    StridedLayout acts = new StridedLayout(0, 4, List.of(1L, many, 1L), List.of(0L, 0L, 0L));
    StridedLayout mask = new StridedLayout(0, 1, List.of(1L, many), List.of(0L, 0L));
    arrays.addShapes(
        "a.made", new FileArray("acts", DType.F32, acts), new FileArray("mask", DType.BOOL, mask));
    assertFails(DatasetError.TOO_LARGE, "a.made", () -> arrays.open("flatten"));
    arrays.addShapes(
        "a.made",
        MadeArrays.shape("acts", DType.F32, many, 0L, 1L),
        MadeArrays.shape("mask", DType.BOOL, many, 0L));
    assertFails(DatasetError.NO_VECTORS, "a.made", () -> arrays.open("error"));
  }

  @Test
  void namesAreThoseOfFilesAndOfNoColumn() throws IOException {
    arrays.addTokens(
        "a.made",
        integers("x.labels", 1, 2, 3, 4, 5, 6),
        integers("layer_3", 1, 2, 3, 4, 5, 6),
        integers("a.ids", 1, 2, 3, 4, 5, 6),
        integers("b.ids", 1, 2, 3, 4, 5, 6),
        integers("../c d", 1, 2, 3, 4, 5, 6));
    assertThat(arrays.open("error").tokenArrays().names())
        .containsExactly("a_ids", "b_ids", "token__c_d", "token_labels", "token_layer_3");
  }

  @Test
  void aFileThatLacksAnArrayHasPadding() throws IOException {
    arrays.addTokens("a.made", integers("ids", 1, 2, 3, 4, 5, 6));
    arrays.addTokens("b.made");
    ArrayDataset dataset = arrays.open("error");
    assertThat(MadeArrays.integers(dataset, 0))
        .containsExactly(
            List.of(1L, 2L, 3L),
            List.of(4L, 5L, 6L),
            List.of(-1L, -1L, -1L),
            List.of(-1L, -1L, -1L));
    assertThat(dataset.warnings())
        .containsExactly(
            "b.made has the per-token integers [] (expected [ids], as in a.made); missing ones are -1");
  }

  @Test
  void vectorsThatAreTokensOfAnExampleHaveIntegers() throws IOException {
    MadeArrays.Made acts =
        new MadeArrays.Made(
            "acts", new int[4], new int[] {6, 1, 1, 2}, List.of(Axis.EXAMPLE, Axis.DIM), false);
    long[] ids = LongStream.range(0, 6).toArray();
    arrays.add(
        "a.made",
        List.of(acts),
        List.of(new MadeArrays.Integers("ids", DType.U8, List.of(6L), ids, false)));
    List<ArrayMapping> mappings = List.of(ArrayMapping.parse("acts=example,dim"));
    ArrayOptions three = new ArrayOptions(mappings, null, List.of(), RaggedPolicy.ERROR, 3);
    assertThat(MadeArrays.integers(ArrayDataset.open(arrays.location(), arrays, three), 0))
        .containsExactly(List.of(0L, 1L, 2L), List.of(3L, 4L, 5L));
  }

  @Test
  void integersOfAnyTypeKeepTheirValues() throws IOException {
    for (DType dtype :
        List.of(DType.U8, DType.U16, DType.U32, DType.I8, DType.I16, DType.I32, DType.I64)) {
      long[] values = {-1, 0, 1, 2, 3, 4};
      arrays.addTokens(
          "a.made", new MadeArrays.Integers("ids", dtype, List.of(2L, 3L), values, true));
      boolean unsigned = dtype.name().startsWith("U");
      long largest = unsigned ? (1L << dtype.bits()) - 1 : -1;
      assertThat(MadeArrays.integers(arrays.open("error"), 0).get(0))
          .containsExactly(largest, 0L, 1L);
    }
  }

  private List<ExampleMetadata> lines(ArrayDataset dataset, long first, long count)
      throws IOException {
    List<ExampleMetadata> lines = new ArrayList<>();
    try (SampleMetadataCursor cursor =
        dataset.sampleMetadata().orElseThrow().cursor(first, count)) {
      for (ExampleMetadata line = cursor.next(); line != null; line = cursor.next()) {
        lines.add(line);
      }
    }
    return lines;
  }

  private void addRequest(String file, int example, int tokens, long... mask) {
    MadeArrays.Made acts =
        new MadeArrays.Made(
            "acts",
            new int[] {example, 0, 0, 0},
            new int[] {1, 1, tokens, 2},
            List.of(Axis.TOKEN, Axis.DIM),
            false);
    arrays.add(
        file,
        List.of(acts),
        mask.length == 0
            ? List.of()
            : List.of(
                new MadeArrays.Integers("mask", DType.I64, List.of((long) tokens), mask, false)));
  }

  private ArrayDataset openRequests(Location location, String files, String ragged)
      throws IOException {
    return ArrayDataset.open(
        location,
        arrays,
        new ArrayOptions(
            List.of(ArrayMapping.parse("acts=token,dim")),
            files == null ? null : NamePattern.parse(files),
            List.of(),
            RaggedPolicy.parse(ragged),
            1));
  }

  @Test
  void aFileThatIsAnExampleIsItsSource() throws IOException {
    addRequest("hs_2.made", 0, 3);
    addRequest("hs_9\"1.made", 1, 3);
    ArrayDataset dataset = openRequests(arrays.location(), null, "error");
    assertThat(lines(dataset, 0, Long.MAX_VALUE))
        .containsExactly(
            new ExampleMetadata(0, "{\"source_file\": \"hs_2\"}"),
            new ExampleMetadata(1, "{\"source_file\": \"hs_9\\\"1\"}"));
    assertThat(lines(dataset, 1, 1)).hasSize(1);
    assertThat(lines(dataset, 2, 5)).isEmpty();
    Location one = Location.of(arrays.location().folder(), "hs_2.made");
    assertThat(openRequests(one, null, "error").sampleMetadata()).isEmpty();
    addRequest("r1/layer_3.made", 0, 3);
    addRequest("r2/layer_3.made", 0, 3);
    assertThat(lines(openRequests(arrays.location(), "{example}/layer_3.made", "error"), 1, 1))
        .containsExactly(new ExampleMetadata(1, "{\"source_file\": \"r2\"}"));
  }

  @Test
  void tokensThatAreExamplesHaveTheirPositionInTheFile() throws IOException {
    addRequest("a.made", 0, 5, 0, 1, 1, 0, 1);
    addRequest("b.made", 1, 2);
    ArrayDataset dataset = openRequests(arrays.location(), null, "flatten");
    String a = "{\"source_file\": \"a\"}";
    String b = "{\"source_file\": \"b\"}";
    assertThat(lines(dataset, 0, 9))
        .containsExactly(
            new ExampleMetadata(0, 2, 1, a),
            new ExampleMetadata(2, 1, 4, a),
            new ExampleMetadata(3, 2, 0, b));
    assertThat(lines(dataset, 1, 3))
        .containsExactly(
            new ExampleMetadata(1, 1, 2, a),
            new ExampleMetadata(2, 1, 4, a),
            new ExampleMetadata(3, 1, 0, b));
  }
}
