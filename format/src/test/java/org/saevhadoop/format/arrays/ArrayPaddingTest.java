package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.arrays.MadeArrays.integers;

import java.io.IOException;
import java.util.BitSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.padding.TokenPadding;
import org.saevhadoop.format.projection.IndexPieces;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.projection.TokenRequest;

/** Padding that the integers beside arrays mark. */
class ArrayPaddingTest {
  private final MadeArrays arrays = new MadeArrays();

  /** Two examples of three tokens: two and three of them are left, and -1 is an id of one. */
  @BeforeEach
  void add() {
    arrays.addTokens(
        "a.made",
        integers("attention_mask", 1, 1, 0, 1, 1, 1),
        integers("ids", 5, 6, 7, -1, 8, 9),
        integers("other", 5, 6, 7, 0, -1, 9));
  }

  private static String padding(ActivationDataset dataset) throws IOException {
    try (TokenPadding padding = TokenPadding.of(dataset)) {
      assertThat(padding.isPossible()).isTrue();
      int tokens = dataset.geometry().tokens();
      BitSet all = padding.read(0, 2);
      BitSet second = padding.read(1, 1);
      assertThat(second).isEqualTo(all.get(tokens, 2 * tokens));
      return all.toString();
    }
  }

  @Test
  void tokensWhoseIntegersAreAllMinusOneArePadding() throws IOException {
    assertThat(padding(arrays.open("pad:4"))).isEqualTo("{2, 3, 7}");
    assertThat(padding(arrays.open("pad:3"))).isEqualTo("{2}");
  }

  @Test
  void selectedTokensAndExamplesKeepTheirPadding() throws IOException {
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
