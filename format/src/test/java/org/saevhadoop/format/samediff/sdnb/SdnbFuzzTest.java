package org.saevhadoop.format.samediff.sdnb;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryInput;

/** Any bytes are an SDNB file whose arrays lie within it, or an {@link SdnbError}. */
@Tag("late")
@Isolated
class SdnbFuzzTest {
  @FuzzTest(maxDuration = "6h", maxExecutions = 10_000_000)
  void anyBytesAreReadOrRefused(byte[] bytes) throws IOException {
    try {
      for (StoredArray array : SdnbFile.read(new MemoryInput("x.sdnb", bytes)).arrays()) {
        if (array.offset() < SdnbHeader.BYTES || array.length() > bytes.length - array.offset()) {
          throw new AssertionError(array + " in a file of " + bytes.length + " bytes");
        }
      }
    } catch (FormatException e) {
      if (!(e.kind() instanceof SdnbError) || e.getMessage().chars().anyMatch(c -> c < ' ')) {
        throw new AssertionError("of no kind", e);
      }
    }
  }
}
