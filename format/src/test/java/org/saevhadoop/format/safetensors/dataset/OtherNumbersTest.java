package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.reader.vector.IndexedReader;
import org.saevhadoop.format.reader.vector.OrderedReader;
import org.saevhadoop.format.reader.vector.ReaderOptions;
import org.saevhadoop.format.reader.vector.ShuffledReader;
import org.saevhadoop.format.reader.vector.TokenChoice;
import org.saevhadoop.format.reader.vector.VectorView;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Tail;
import org.saevhadoop.format.safetensors.header.AnyTables;
import org.saevhadoop.format.tensor.DType;

/** Activations that are no float32. */
class OtherNumbersTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16", "F64", "I8", "C64", "F8_E4M3"})
  void activationsOfOtherNumbersAreReadAsBlocksButNotTrainedOn(DType dtype) throws IOException {
    Geometry geometry = new Geometry(5, List.of(9, 10), 3, 3, dtype);
    TableShape table = geometry.table();
    BatchWritePlan target =
        new BatchWritePlan(table, Columns.LAYERS, 2, Tail.WRITE, 8, Provenance.NONE, null);
    AnyTables.write(target, new LocalFolder(folder), folder);
    SafetensorsDataset dataset = SafetensorsDataset.open(new LocalFolder(folder));
    assertThat(dataset.geometry()).isEqualTo(geometry);
    AnyTables.assertSame(dataset, table, example -> example);
    VectorView view = VectorView.of(dataset, 0, TokenChoice.ALL, null);
    ReaderOptions options = ReaderOptions.defaults();
    for (ThrowingCallable reader :
        List.<ThrowingCallable>of(
            () -> new IndexedReader(dataset, view),
            () -> new OrderedReader(dataset, view, options),
            () -> new ShuffledReader(dataset, view, options))) {
      assertThatThrownBy(reader)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              folder
                  + ": its numbers are "
                  + dtype
                  + " (expected F32: convert it with --dtype F32)");
    }
  }
}
