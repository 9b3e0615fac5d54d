package org.saevhadoop.format.saev.directory;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;

@Tag("late")
@Isolated
class ShardInfoFuzzTest {
  @FuzzTest
  void anyShardListIsReadOrRefusedAndWhatIsReadIsWrittenTheSame(byte[] text)
      throws FormatException {
    ShardInfo info;
    try {
      info = ShardInfo.parse("fuzz", text, "n_imgs");
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("fuzz: ");
      return;
    }
    assertThat(info.examples()).isNotNegative();
    ShardInfo again = ShardInfo.parse("again", info.text(), "n_imgs");
    assertThat(again.entries()).isEqualTo(info.entries()); // other keys are not written
  }
}
