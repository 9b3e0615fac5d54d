package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.publish.ReplaceableDataset;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalRunStorage;
import org.saevhadoop.mapreduce.input.DatasetInputFormat;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;
import org.saevhadoop.mapreduce.job.ProjectKeys;

/** A format that is only read, in a registry with the formats of the project. */
class ReadOnlyFormatTest {
  private static final DatasetFormats FORMATS = ToyFormat.FORMATS;

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.write(folder.resolve(ToyFormat.FILE), new byte[] {3, 5, 7});
  }

  @Test
  void aReadOnlyFormatIsDetectedAndNotOfferedForWriting() throws IOException {
    assertThat(FORMATS.detect(Location.of(new LocalFolder(folder))).name()).isEqualTo("toy");
    assertThat(FORMATS.names()).containsAll(DatasetFormats.registry().names()).contains("toy");
    assertThat(FORMATS.named("TOY")).isPresent();
    assertThat(FORMATS.writable()).isEqualTo(DatasetFormats.registry().writable());
    assertThat(ProjectKeys.of(FORMATS)).isEqualTo(ProjectKeys.of(DatasetFormats.registry()));
    assertThat(DatasetFormats.registry().names()).doesNotContain("toy");
  }

  @Test
  void aJobReadsADatasetOfAReadOnlyFormat() throws Exception {
    Configuration conf = new Configuration(false);
    String path = folder.toUri().toString();
    InputSpec.of(Settings.NONE, List.of())
        .with(new SourceReference(path, ToyFormat.class.getName(), false))
        .toConf(conf);
    conf.set(InputKeys.RECORD.name(), "block");
    conf.set(InputKeys.EXAMPLES.name(), "1:3");
    assertThat(Tasks.readAll(new DatasetInputFormat(), folder, conf))
        .extracting(read -> read.value().bytes().get())
        .containsExactly((byte) 5, (byte) 7);
  }

  @Test
  void aDatasetOfAReadOnlyFormatIsNotReplaced() {
    LocalPath path = new LocalPath(folder);
    assertThatThrownBy(() -> ReplaceableDataset.check(path, FORMATS, new LocalRunStorage(false)))
        .hasMessageEndingWith(folder + ": has the format toy, which can only be read");
  }
}
