package org.saevhadoop.format.arrays.pickled;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.testing.Allocation;

/** No pickle of arrays does worse than an error of one line, and arrays are in the file. */
@Tag("late")
@Isolated
class PickledArraysFuzzTest {
  private static final long MAX_ALLOCATED = 128 << 20;

  @FuzzTest(maxDuration = "6h")
  void anyPickleIsReadOrRefused(byte[] pickle) throws IOException {
    MemoryStorage folder = new MemoryStorage("fuzz");
    folder.put("x.pkl", pickle);
    ArrayFile content;
    try {
      content =
          Allocation.atMost(
              MAX_ALLOCATED,
              () -> PickledArrays.read(folder.open("x.pkl"), 0, PickledArraysTest::type));
    } catch (FormatException e) {
      assertIsOneLine(e);
      return;
    }
    for (FileArray array : content.arrays()) {
      StridedLayout layout = array.layout();
      if (layout.offset() < 0 || layout.offset() + layout.length() > pickle.length) {
        throw new AssertionError(array + " is not in the file");
      }
    }
  }

  private static void assertIsOneLine(FormatException e) {
    boolean isKnown = e.kind() instanceof NpyError || e.kind() instanceof PickleError;
    if (!isKnown || e.getMessage().chars().anyMatch(c -> c < ' ')) {
      throw new AssertionError("of no kind, or more than a line", e);
    }
  }
}
