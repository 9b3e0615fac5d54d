package org.saevhadoop.converters.verify;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.check.SummedRows;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;

/** Rows of datasets with ids, compared in any order of the examples. */
class ReorderedRowsTest {
  @TempDir Path folder;

  private Path keys(String name, int a, int b) throws IOException {
    Path file = folder.resolve(name + ".safetensors");
    NaiveTensors.write(file, Map.of("a__layer_3", vector(a), "b__layer_3", vector(b)));
    return file;
  }

  private static Found vector(int value) {
    return Found.of("F32", List.of(1L, 1L), new byte[] {(byte) value, 0, 0, 63});
  }

  @Test
  void valuesThatTwoIdsHaveExchangedAreADifference() throws Exception {
    try (JobRunner runner =
            JobRunner.open(new Configuration(), RunListener.NONE, DatasetFormats.registry());
        OpenedSource expected = open(keys("expected", 1, 2), runner);
        OpenedSource same = open(keys("same", 1, 2), runner);
        OpenedSource exchanged = open(keys("exchanged", 2, 1), runner)) {
      assertThatCode(() -> rows(expected).check(rows(same), "same", runner))
          .doesNotThrowAnyException();
      assertThatThrownBy(() -> rows(expected).check(rows(exchanged), "exchanged", runner))
          .hasMessageContaining("examples 0 to 1 differ from");
    }
  }

  private static SummedRows rows(OpenedSource dataset) throws IOException {
    return SummedRows.blocks(dataset, List.of(3), DType.F32).unordered();
  }

  private static OpenedSource open(Path file, JobRunner runner) throws Exception {
    return OpenedSource.open(
        SourceRequest.of(file.toString(), SettingSource.CONFIGURATION, runner), runner);
  }
}
