package org.saevhadoop.format.torch.file;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.testing.Allocation;

/** No pickle in an archive does worse than an error of one line. */
@Tag("late")
@Isolated
class TorchFuzzTest {
  private static final long MAX_ALLOCATED = 128 << 20;
  private static final int MAX_READ = 256;

  @DictionaryFile(resourcePath = "torch.dict")
  @FuzzTest(maxDuration = "6h")
  void anyPickleIsReadOrRefused(byte[] pickle) throws IOException {
    byte[] file =
        TorchFile.of(pickle)
            .storage("0", TorchFile.bytes(24))
            .storage("1", TorchFile.bytes(24))
            .bytes();
    ArrayFile content;
    try {
      content = Allocation.atMost(MAX_ALLOCATED, () -> TorchFile.read(file));
    } catch (FormatException e) {
      assertIsOneLine(e);
      return;
    }
    for (FileArray array : content.arrays().subList(0, Math.min(4, content.arrays().size()))) {
      TorchFile.elements(file, array, (int) Math.min(MAX_READ, array.layout().length()));
    }
  }

  private static void assertIsOneLine(FormatException e) {
    boolean isKnown = e.kind() instanceof TorchError || e.kind() instanceof PickleError;
    if (!isKnown || e.getMessage().chars().anyMatch(c -> c < ' ')) {
      throw new AssertionError("of no kind, or more than a line", e);
    }
  }
}
