package org.saevhadoop.format.saev;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.saevhadoop.format.io.FormatException;

class SaevMetadataFuzzTest {
  @FuzzTest
  void anyMetadataIsReadOrRefusedAndKeepsItsHashWhenItIsWritten(byte[] text)
      throws FormatException {
    SaevMetadata metadata;
    try {
      metadata = SaevMetadata.parse("fuzz", text);
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("fuzz: ");
      return;
    }
    assertThat(metadata.examplesPerShard()).isPositive();
    assertThat(SaevMetadata.parse("again", metadata.text()).hash()).isEqualTo(metadata.hash());
  }

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
    assertThat(ShardInfo.parse("again", info.text(), "n_imgs")).isEqualTo(info);
  }
}
