package org.saevhadoop.mapreduce.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;

/** The text of several sources, which a run that is continued by another process must have. */
class SeveralSourcesTextTest {
  @Test
  void settingsAreSortedAsTheOrderInMapsIsThatOfAProcess() {
    List<String> keys = IntStream.range(10, 40).mapToObj(i -> "saev.input." + i).toList();
    Map<String, String> settings =
        new TreeMap<>(keys.stream().collect(Collectors.toMap(key -> key, key -> "x")));
    SourceReference reference = new SourceReference("file:/a", "Format", false);
    String text =
        new SeveralSources(
                List.of(new SeveralSources.Source("a", reference, Map.copyOf(settings))),
                null,
                false)
            .text();
    assertThat(keys.stream().map(text::indexOf).toList()).isSorted();
  }
}
