package org.saevhadoop.jobs.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.shuffle.ExampleChoice;
import org.saevhadoop.format.shuffle.RowOrder;

class UnpaddedTokensTest {
  private static final int EXAMPLES = 2500;
  private static final int[] COUNTS = IntStream.range(0, EXAMPLES).map(i -> i * i % 7).toArray();
  private static final UnpaddedTokens KEPT = new UnpaddedTokens(7, COUNTS);

  @TempDir Path temporary;

  private static ExampleChoice choice(long sample) {
    List<IndexRange> examples = List.of(new IndexRange(0, EXAMPLES));
    List<IndexRange> tokens = List.of(new IndexRange(0, 7));
    List<Integer> layers = List.of(3);
    return ExampleChoice.of(
        new RowOrder(RowUnit.VECTOR, 5, "parent", layers, examples, tokens, sample, null, 0));
  }

  private static long expected(ExampleChoice choice, int end) {
    return IntStream.range(0, end).filter(choice::contains).map(i -> COUNTS[i]).sum();
  }

  /** Counts are written and read 1024 at a time. */
  @ParameterizedTest
  @ValueSource(ints = {EXAMPLES, 1250, 1})
  void writtenCountsAreThoseOfTheChosenExamplesBeforeAnother(int sample) throws IOException {
    ExampleChoice choice = choice(sample);
    LocalFolder folder = new LocalFolder(temporary);
    KEPT.write(folder);
    for (int example : new int[] {0, 1, 1023, 1024, 1025, 2047, 2048, 2049, 2499, EXAMPLES}) {
      assertThat(UnpaddedTokens.before(example, choice, folder))
          .isEqualTo(expected(choice, example));
    }
    assertThat(KEPT.of(choice)).isEqualTo(expected(choice, EXAMPLES));
  }

  @Test
  void allTokensOfChosenExamplesAreCountedIfNoneIsPadding() {
    assertThat(UnpaddedTokens.all(7).of(choice(1250))).isEqualTo(1250 * 7);
  }
}
