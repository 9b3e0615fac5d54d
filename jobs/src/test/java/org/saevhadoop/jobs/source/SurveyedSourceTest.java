package org.saevhadoop.jobs.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.jobs.TestDatasets;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;

/** What jobs are told about the files of a source. */
class SurveyedSourceTest {
  @TempDir Path folder;

  @Test
  void jobsThatReadArraysAreToldWhatTheirHeadersHaveShown() throws Exception {
    Path npy = folder.resolve("npy");
    Conversion.of(TestDatasets.saev().toString(), npy.toString(), "npy", new Configuration())
        .run(RunListener.NONE);
    Files.delete(npy.resolve("saev-arrays.json"));
    JobRunner runner =
        JobRunner.open(new Configuration(), RunListener.NONE, DatasetFormats.registry());
    SourceRequest request = SourceRequest.of(npy.toString(), SettingSource.CONFIGURATION, runner);
    try (OpenedSource source = OpenedSource.open(request, runner)) {
      assertThat(source.spec().format().get(ArrayKeys.SURVEY).files()).isEqualTo(3);
      assertThat(source.input(source.spec(), source.spec().record()).spec().format())
          .isEqualTo(source.spec().format());
      assertThat(request.spec().format().isSet(ArrayKeys.SURVEY)).isFalse();
    }
  }
}
