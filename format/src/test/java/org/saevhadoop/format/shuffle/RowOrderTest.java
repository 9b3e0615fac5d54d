package org.saevhadoop.format.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.shuffle.RowOrder.Unit;

class RowOrderTest {
  private static final List<IndexRange> ALL = List.of(new IndexRange(0, 90));
  private static final List<IndexRange> TWO =
      List.of(new IndexRange(40, 90), new IndexRange(0, 40));
  private static final RowOrder ORDER =
      new RowOrder(Unit.VECTOR, 7, "parent", List.of(13), ALL, ALL, 80, null, 0);

  /** Orders of which each differs from {@link #ORDER} in one value. */
  static List<RowOrder> others() {
    List<Integer> layers = List.of(13);
    IndexRange part = new IndexRange(0, 80);
    return List.of(
        new RowOrder(Unit.EXAMPLE, 7, "parent", layers, ALL, ALL, 80, null, 0),
        new RowOrder(Unit.VECTOR, 8, "parent", layers, ALL, ALL, 80, null, 0),
        new RowOrder(Unit.VECTOR, 7, "other", layers, ALL, ALL, 80, null, 0),
        new RowOrder(Unit.VECTOR, 7, "parent", List.of(14), ALL, ALL, 80, null, 0),
        new RowOrder(Unit.VECTOR, 7, "parent", layers, TWO, ALL, 80, null, 0),
        new RowOrder(Unit.VECTOR, 7, "parent", layers, ALL, TWO, 80, null, 0),
        ORDER.with(79, null),
        ORDER.with(80, part),
        ORDER.withPadding(1));
  }

  private static List<Long> start(RowOrder order) {
    return List.of(0L, 1L, 2L, 3L).stream().map(order.permutation(1000)::at).toList();
  }

  @ParameterizedTest
  @MethodSource("others")
  void thePermutationDependsOnEachValue(RowOrder other) {
    assertThat(other.text()).isNotEqualTo(ORDER.text());
    assertThat(start(other)).isNotEqualTo(start(ORDER));
  }

  @ParameterizedTest
  @MethodSource("others")
  void theTextRecordsEachValue(RowOrder other) throws IOException {
    assertThat(RowOrder.of(Jackson.MAPPER.readTree(other.text()))).isEqualTo(other);
  }

  /** Datasets record this text, and their hashes depend on it. */
  @Test
  void theTextStaysAsItIs() {
    assertThat(ORDER.with(80, new IndexRange(8, 80)).text())
        .isEqualTo(
            "{\"unit\":\"vector\",\"seed\":7,\"parent\":\"parent\",\"layers\":[13],"
                + "\"examples\":[[0,90]],\"tokens\":[[0,90]],\"sample\":80,\"part\":[[8,80]],"
                + "\"padding\":0}");
  }
}
