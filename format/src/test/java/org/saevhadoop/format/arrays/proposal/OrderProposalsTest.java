package org.saevhadoop.format.arrays.proposal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.arrays.proposal.ShapedFiles.floats;
import static org.saevhadoop.format.arrays.proposal.ShapedFiles.ids;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.Geometry;

/** Which orders of dimensions are proposed, and which dimensions are taken for one. */
class OrderProposalsTest {
  private ShapedFiles files = new ShapedFiles("/data");

  @Test
  void squareGridsAndHeadsAreTheLeastLikely() throws IOException {
    files.add("a.made", floats("acts", 2, 14, 14, 14));
    assertThat(files.options())
        .containsExactly(
            "",
            "--tensor acts=layer,example,token,dim",
            "--tensor acts=example,token,layer,dim",
            "--tensor acts=example,token,token,dim",
            "--tensor acts=example,dim,token,token",
            "--tensor acts=example,token,dim,dim");
    files = new ShapedFiles("/data");
    files.add("a.made", floats("acts", 2, 5, 12, 64));
    assertThat(files.options()).endsWith("--tensor acts=example,token,dim,dim").hasSize(4);
  }

  @Test
  void anArrayOfFourDimensionsThatIsALayerIsAGridOrHeads() throws IOException {
    files.add("layer_3.made", floats("acts", 2, 14, 14, 64));
    files.add("layer_5.made", floats("acts", 2, 14, 14, 64));
    assertThat(files.options())
        .containsExactly(
            "--tensor acts=example,token,token,dim", "--tensor acts=example,token,dim,dim");
    assertThat(files.geometry()).isEqualTo(new Geometry(2, List.of(3, 5), 196, 64));
  }

  @Test
  void tokenIdsDecideThatAnArrayIsAGrid() throws IOException {
    files.add("a.made", floats("acts", 2, 14, 14, 64), ids("token_ids", 2, 196));
    assertThat(files.options()).containsExactly("--tensor acts=example,token,token,dim");
    files = new ShapedFiles("/data");
    files.add("a.made", floats("acts", 1, 14, 14, 64), ids("token_ids", 196));
    assertThat(files.options()).containsExactly("--tensor acts=example,token,token,dim");
  }

  @Test
  void gridsOfSeveralLayersMayBeInOneArray() throws IOException {
    files.add("a.made", floats("acts", 2, 3, 14, 14, 64));
    assertThat(files.options())
        .containsExactly(
            "--tensor acts=example,layer,token,token,dim",
            "--tensor acts=example,layer,token,dim,dim");
  }

  @Test
  void gridsOfDifferentSizesAreFlattenedTruncatedOrPadded() throws IOException {
    files.add("layer_3/a.made", floats("acts", 1, 2, 2, 8));
    files.add("layer_3/b.made", floats("acts", 1, 3, 3, 8));
    assertThat(files.options())
        .extracting(option -> option.replaceFirst("^--files [^ ]+ ", ""))
        .containsExactly(
            "--tensor acts=example,token,token,dim --ragged flatten",
            "--tensor acts=example,token,token,dim --ragged truncate:4",
            "--tensor acts=example,token,token,dim --ragged pad:9");
  }

  @Test
  void anotherOrderIsProposedIfTheFilesDifferInTheUsualOne() throws IOException {
    files.add("x_0.made", floats("acts", 3, 4, 5, 8));
    files.add("x_1.made", floats("acts", 3, 2, 5, 8));
    assertThat(files.options()).contains("--tensor acts=layer,example,token,dim");
    assertThat(files.options()).doesNotContain("");
  }

  @Test
  void ordersOfEmptyArraysAreNotProposed() throws IOException {
    files.add("a.made", floats("acts", 0, 5, 8));
    assertThat(files.options()).containsExactly("");
  }
}
