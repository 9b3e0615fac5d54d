package org.saevhadoop.format.pickleshards.directory;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;

@Tag("late")
@Isolated
class ShardFactsFuzzTest {
  @FuzzTest
  void anyBytesAreFactsOrRefusedAndFactsAreWrittenTheSame(byte[] text) throws IOException {
    ShardFacts facts;
    try {
      facts = ShardFacts.parse("fuzz", text);
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("fuzz: ");
      return;
    }
    assertThat(ShardFacts.parse("again", facts.toJson())).isEqualTo(facts);
  }
}
