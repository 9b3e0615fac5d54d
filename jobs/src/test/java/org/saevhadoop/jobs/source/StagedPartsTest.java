package org.saevhadoop.jobs.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.spi.StreamAccess.Part;

/** Which parts of a stream one thread stages together. */
class StagedPartsTest {
  private static List<List<Long>> grouped(long most, long... bytes) {
    List<Part> parts = new ArrayList<>();
    for (long each : bytes) {
      parts.add(new Part(parts.size(), List.of("shard_" + parts.size()), each));
    }
    List<List<Part>> groups = StagedParts.grouped(parts, most);
    assertThat(groups.stream().flatMap(List::stream).toList()).isEqualTo(parts);
    return groups.stream().map(group -> group.stream().map(Part::bytes).toList()).toList();
  }

  @Test
  void smallPartsShareAGroupUpToItsMaximum() {
    assertThat(grouped(3, 1, 1, 1, 1, 2, 2))
        .containsExactly(List.of(1L, 1L, 1L), List.of(1L, 2L), List.of(2L));
  }

  @Test
  void aLargePartIsAloneAndKeepsItsPlace() {
    assertThat(grouped(3, 1, 5, 1, 1)).containsExactly(List.of(1L), List.of(5L), List.of(1L, 1L));
  }

  @Test
  void fewPartsHaveThreadsOfTheirOwn() {
    assertThat(grouped(0, 1, 1)).containsExactly(List.of(1L), List.of(1L));
  }

  @Test
  void noPartsAreNoGroups() {
    assertThat(grouped(3)).isEmpty();
  }
}
