package org.saevhadoop.format.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.layers.LayerColumns;
import org.saevhadoop.format.parquet.layers.LayerShape;
import org.saevhadoop.format.parquet.table.TableFooter;
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
  private static final long MAX_SAMPLES = 1 << 12;
  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

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
      readSamples(in, table);
    } catch (FormatException e) {
      assertRefused(e);
    }
    try (Input in = folder.open("x.parquet")) {
      Allocation.atMost(MAX_ALLOCATED, () -> shape(in));
    } catch (FormatException e) {
      assertRefused(e);
    }
    try (Input in = folder.open("x.parquet")) {
      readRows(in);
    } catch (FormatException e) {
      assertRefused(e);
    }
  }

  /** Reads row groups as those of files that this project wrote. */
  private static void readRows(Input in) throws IOException {
    TableFooter footer = TableFooter.read(in);
    RowLayout layout = RowLayout.of(footer, List.of()).orElse(null);
    for (int group = 0; layout != null && group < footer.rowGroups().size(); group++) {
      if (footer.rowGroups().get(group).rows() <= MAX_SAMPLES) {
        RowGroupStaging rows =
            new RowGroupStaging(in, footer, group, layout, layout.geometry().layers());
        long[] read = {0};
        rows.read(elements -> read[0] += elements.remaining());
        StagedGroup staged = rows.staged("", "", 0, "", "");
        long expected =
            staged.arrays().stream()
                .mapToLong(array -> array.rowBytes() * staged.length(array))
                .sum();
        assertThat(read[0]).isEqualTo(expected);
        rows.ids();
        rows.checkSamples();
      }
    }
  }

  private static void readSamples(Input in, TableArrays table) throws IOException {
    MemoryStorage target = new MemoryStorage("samples");
    for (int group = 0; group < table.footer().rowGroups().size(); group++) {
      if (table.footer().rowGroups().get(group).rows() <= MAX_SAMPLES) {
        table.writeSamples(in, group, target, "group" + group, TEMPORARY);
      }
    }
  }

  private static LayerShape shape(Input in) throws IOException {
    LayerShape.Survey survey = new LayerShape.Survey(in.path(), Optional.empty());
    survey.add(in, LayerColumns.of(in, "layer", Optional.empty(), List.of()));
    return survey.shape();
  }

  private static void assertRefused(FormatException e) {
    assertThat(e.kind()).isInstanceOfAny(ParquetError.class, ArrayError.class, DatasetError.class);
    assertThat(e).hasMessageStartingWith("fuzz/x.parquet").message().hasLineCount(1);
  }
}
