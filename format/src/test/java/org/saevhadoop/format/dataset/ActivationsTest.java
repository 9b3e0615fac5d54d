package org.saevhadoop.format.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.io.FormatException;

class ActivationsTest {
  private static final Geometry GEOMETRY = new Geometry(1, List.of(3), 2, 4);

  @Test
  void clsTokensAreThoseThatAreKnown() throws FormatException {
    assertThat(activations(OptionalInt.of(1)).requireClsTokens("here", "ask")).isEqualTo(1);
    assertThat(activations(OptionalInt.of(0)).requireClsTokens("here", "ask")).isZero();
  }

  @Test
  void unknownClsTokensAreAnErrorWithTheCallersAdvice() {
    assertFails(
        DatasetError.UNKNOWN_CLS_TOKENS,
        "here",
        () -> activations(OptionalInt.empty()).requireClsTokens("here", "--tokens all"));
  }

  @Test
  void aProvenanceIsChangedOnlyInCopies() {
    SortedMap<String, String> map = new TreeMap<>();
    Provenance none = new Provenance(map);
    map.put("late", "text");
    Provenance two = none.with("a", "1").with("b", "2").with("a", "3");
    assertThat(none).isEqualTo(Provenance.NONE);
    assertThat(two.documents()).containsOnlyKeys("a", "b").containsEntry("a", "3");
    assertThat(two.without("a").document("a")).isEmpty();
    assertThat(two.without("none")).isEqualTo(two);
    assertThatThrownBy(() -> two.documents().put("c", ""))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static Activations activations(OptionalInt clsTokens) {
    return new Activations(GEOMETRY, clsTokens, Provenance.NONE);
  }
}
