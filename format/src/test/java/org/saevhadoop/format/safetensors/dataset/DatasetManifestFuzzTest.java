package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;

@Tag("late")
@Isolated
class DatasetManifestFuzzTest {
  @FuzzTest
  void anyBytesAreReadOrRefusedAndWhatIsReadIsWrittenTheSame(byte[] text) throws IOException {
    DatasetManifest manifest;
    try {
      manifest = DatasetManifest.parse("fuzz", text);
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("fuzz: ");
      return;
    }
    byte[] again = manifest.text(List.of());
    assertThat(DatasetManifest.parse("again", again)).isEqualTo(manifest);
  }
}
