package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.arrays.MadeArrays.integers;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.arrays.MadeArrays.Integers;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.padding.TokenPadding;
import org.saevhadoop.format.projection.IndexPieces;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.projection.TokenRequest;

/** Padding of arrays that were filled up, and of those that have token ids of -1. */
class ArrayPaddingTest {
  private static final Integers MASK = integers("attention_mask", 1, 1, 0, 1, 1, 1);

  private final MadeArrays arrays = new MadeArrays();

  private static String padding(ActivationDataset dataset) throws IOException {
    try (TokenPadding padding = TokenPadding.of(dataset)) {
      int tokens = dataset.geometry().tokens();
      int examples = (int) dataset.geometry().examples();
      BitSet all = padding.read(0, examples);
      BitSet second = padding.read(1, 1);
      assertThat(second).isEqualTo(all.get(tokens, 2 * tokens));
      return all.toString();
    }
  }

  private static List<String> names(ActivationDataset dataset) {
    return dataset.tokenArrays().names();
  }

  @Test
  void minusOneInOtherIntegersMarksNothing() throws IOException {
    arrays.addTokens("a.made", integers("cluster", 0, -1, 2, -1, 5, -1));
    assertThat(names(arrays.open("error"))).containsExactly("cluster");
    assertThat(padding(arrays.open("error"))).isEqualTo("{}");
  }

  @Test
  void filledTokensAreMarkedByAMask() throws IOException {
    arrays.addTokens("a.made", MASK, integers("cluster", 0, -1, 2, -1, 5, -1));
    ActivationDataset filled = arrays.open("pad:4");
    assertThat(names(filled)).containsExactly("attention_mask", "cluster");
    assertThat(MadeArrays.integers(filled, 0))
        .containsExactly(List.of(1L, 1L, 0L, 0L), List.of(1L, 1L, 1L, 0L));
    assertThat(padding(filled)).isEqualTo("{2, 3, 7}");
    arrays.addTokens("a.made");
    assertThat(names(arrays.open("pad:4"))).containsExactly("attention_mask");
    assertThat(padding(arrays.open("pad:4"))).isEqualTo("{3, 7}");
  }

  @Test
  void nothingIsMarkedWhereNothingIsFilledUp() throws IOException {
    arrays.addTokens("a.made");
    for (String ragged : List.of("pad:3", "truncate:2", "flatten", "error")) {
      assertThat(names(arrays.open(ragged))).isEmpty();
    }
    arrays.addTokens("a.made", integers("mask", 0, 1, 1, 1, 1, 0));
    for (String ragged : List.of("pad:2", "truncate:1", "flatten")) {
      assertThat(names(arrays.open(ragged))).isEmpty();
    }
  }

  @Test
  void paddingOfTooLongExamplesIsReportedAsNotMarked() throws IOException {
    arrays.addTokens("a.made");
    assertThat(arrays.open("pad:4194304").warnings())
        .containsExactly("2 samples were padded to 4194304 tokens");
    ArrayDataset filled = arrays.open("pad:4194305");
    assertThat(names(filled)).isEmpty();
    assertThat(filled.warnings())
        .containsExactly(
            "2 samples were padded to 4194305 tokens",
            "the padding of examples of more than 4194304 tokens is not marked");
  }

  @Test
  void tokenIdsMarkWhatIsFilledUp() throws IOException {
    arrays.addTokens("a.made", MASK, integers("x.input_ids", 5, 6, 7, 0, -1, 9));
    ActivationDataset filled = arrays.open("pad:4");
    assertThat(names(filled)).containsExactly("input_ids");
    assertThat(padding(filled)).isEqualTo("{2, 3, 5, 7}"); // a token has no id of -1
  }

  @Test
  void tokensOfAFileWithoutTokenIdsAreNoPadding() throws IOException {
    arrays.addTokens("a.made", integers("token_ids", 1, 2, 3, 4, 5, 6));
    arrays.addTokens("b.made", integers("mask", 1, 1, 1, 1, 1, 0));
    assertThat(names(arrays.open("flatten"))).containsExactly("attention_mask", "token_ids");
    assertThat(padding(arrays.open("flatten"))).isEqualTo("{}");
    assertThat(padding(arrays.open("pad:3"))).isEqualTo("{11}");
    assertThat(padding(arrays.open("pad:4"))).isEqualTo("{3, 7, 11, 14, 15}");
  }

  @Test
  void aMaskThatIsKeptMarksNothing() throws IOException {
    arrays.addTokens("a.made", MASK, integers("mask", 0, 1, 1, 0, 1, 1));
    String[] kept = {"attention_mask=keep", "mask=keep"};
    assertThat(names(arrays.open("error", kept)))
        .containsExactly("token_attention_mask", "token_mask");
    assertThat(padding(arrays.open("error", kept))).isEqualTo("{}");
    assertThat(names(arrays.open("pad:4", kept)))
        .containsExactly("attention_mask", "token_attention_mask", "token_mask");
    assertThat(padding(arrays.open("pad:4", kept))).isEqualTo("{3, 7}");
  }

  @Test
  void aMaskWithHolesLeavesTheTokensBeforeThePadding() throws IOException {
    arrays.addTokens("a.made", integers("mask", 0, 1, 1, 1, 0, 1));
    ActivationDataset filled = arrays.open("pad:3");
    assertThat(padding(filled)).isEqualTo("{2, 5}");
    assertThat(MadeArrays.blocks(filled).get(1).subList(0, 4))
        .containsExactly(
            MadeArrays.value(1, 0, 0, 0),
            MadeArrays.value(1, 0, 0, 1),
            MadeArrays.value(1, 0, 2, 0),
            MadeArrays.value(1, 0, 2, 1));
  }

  @Test
  void selectedTokensAndExamplesKeepTheirPadding() throws IOException {
    arrays.addTokens("a.made", MASK, integers("ids", 5, 6, 7, -1, 8, 9));
    ActivationDataset all = arrays.open("pad:4");
    ActivationDataset part =
        new ProjectionRequest(
                null,
                IndexPieces.parse("1,0"),
                ProjectionRequest.NO_LIMIT,
                TokenRequest.parse("0,2:"))
            .resolve(all)
            .of(all)
            .requireActivations();
    assertThat(padding(part)).isEqualTo("{2, 4, 5}");
  }
}
