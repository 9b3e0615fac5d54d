package org.saevhadoop.format.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.io.FormatException;

class RowOrderTest {
  private static final List<IndexRange> ALL = List.of(new IndexRange(0, 90));
  private static final List<IndexRange> TWO =
      List.of(new IndexRange(40, 90), new IndexRange(0, 40));
  private static final RowOrder ORDER =
      new RowOrder(RowUnit.VECTOR, 7, "parent", List.of(13), ALL, ALL, 80, null, 0);

  /** Orders of which each differs from {@link #ORDER} in one value. */
  static List<RowOrder> others() {
    List<Integer> layers = List.of(13);
    IndexRange part = new IndexRange(0, 80);
    return List.of(
        new RowOrder(RowUnit.EXAMPLE, 7, "parent", layers, ALL, ALL, 80, null, 0),
        new RowOrder(RowUnit.VECTOR, 8, "parent", layers, ALL, ALL, 80, null, 0),
        new RowOrder(RowUnit.VECTOR, 7, "other", layers, ALL, ALL, 80, null, 0),
        new RowOrder(RowUnit.VECTOR, 7, "parent", List.of(14), ALL, ALL, 80, null, 0),
        new RowOrder(RowUnit.VECTOR, 7, "parent", layers, TWO, ALL, 80, null, 0),
        new RowOrder(RowUnit.VECTOR, 7, "parent", layers, ALL, TWO, 80, null, 0),
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
  void theDocumentOfAPlanRecordsEachValue(RowOrder other) throws IOException {
    for (OptionalInt cls : List.of(OptionalInt.empty(), OptionalInt.of(0), OptionalInt.of(1))) {
      Activations activations =
          new Activations(
              new Geometry(90, List.of(13), 1, 2), cls, Provenance.NONE.with("key", "\u00e9\n"));
      RowFormat format = new RowFormat(new Buckets(90, 40, 20), 8, 10);
      ShufflePlan plan = new ShufflePlan(5, other, activations, 3, format, new SideRow(true, 1, 2));
      byte[] document = plan.text().getBytes(StandardCharsets.UTF_8);
      assertThat(ShufflePlan.parse("plan", document)).isEqualTo(plan);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{}", "{\"order\":{}}"})
  void anotherDocumentIsRefused(String text) {
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> ShufflePlan.parse("plan", text.getBytes(StandardCharsets.UTF_8)))
        .withMessageContaining("does not describe a shuffle");
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
