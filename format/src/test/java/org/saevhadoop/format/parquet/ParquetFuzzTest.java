package org.saevhadoop.format.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.testing.Allocation;

/**
 * No bytes do worse than an error in one line, and what is accepted has as many elements as rows.
 */
@Tag("late")
@Isolated
class ParquetFuzzTest {
  private static final long MAX_ALLOCATED = 64 << 20;
  private static final long MAX_ELEMENT_BYTES = 16 << 20;

  @FuzzTest(maxDuration = "6h")
  void anyBytesAreReadOrRefused(byte[] bytes) throws IOException {
    MemoryStorage folder = new MemoryStorage("fuzz");
    folder.put("x.parquet", bytes);
    try (Input in = folder.open("x.parquet")) {
      TableArrays table = Allocation.atMost(MAX_ALLOCATED, () -> TableArrays.of(in, Settings.NONE));
      for (TableArrays.Array array : table.arrays()) {
        for (int group = 0; group < table.footer().rowGroups().size(); group++) {
          long expected = array.rowBytes() * table.footer().rowGroups().get(group).rows();
          if (expected <= MAX_ELEMENT_BYTES) {
            long[] read = {0};
            table.read(in, group, array, elements -> read[0] += elements.remaining());
            assertThat(read[0]).isEqualTo(expected);
          }
        }
      }
    } catch (FormatException e) {
      assertThat(e.kind()).isInstanceOf(ParquetError.class);
      assertThat(e).hasMessageStartingWith("fuzz/x.parquet").message().hasLineCount(1);
    }
  }
}
