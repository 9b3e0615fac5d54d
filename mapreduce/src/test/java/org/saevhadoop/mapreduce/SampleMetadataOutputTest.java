package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.saev.directory.SaevDataset;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.samples.SidecarWriter;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

/** A task writes the sample metadata of the files that it writes. */
@ResourceLock(FaultyFileSystem.SCHEME)
class SampleMetadataOutputTest extends OutputJob {
  private static final List<ExampleMetadata> SAMPLE_METADATA =
      List.of(
          new ExampleMetadata(0, "{\"a\":0}"),
          new ExampleMetadata(1, 1, 0, "{\"b\":1}"),
          new ExampleMetadata(2, 2, 1, "{\"b\":1}"),
          new ExampleMetadata(6, "{\"c\":2}"));

  private Path source;

  @BeforeEach
  void writeSource() throws IOException {
    FileOutputFormat.setOutputPath(job, FaultyFileSystem.path(output));
    source = InventedFiles.copy(FIXTURE, temporary.resolve("source"));
    for (int i : new int[] {0, 1, 3}) {
      int first = 2 * i;
      try (SidecarWriter writer =
          new SidecarWriter(
              new LocalFolder(source), "acts00000" + i + ".bin", first, Math.min(2, 7 - first))) {
        for (ExampleMetadata one : SAMPLE_METADATA) {
          if (one.first() / 2 == i) {
            writer.write(one);
          }
        }
      }
    }
    ActivationOutputFormat.setSampleMetadata(
        conf, FaultyFileSystem.path(source), SaevInputFormat.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 4, 6})
  void tasksWriteTheSampleMetadataOfTheirFiles(long border) throws Exception {
    saev.checkOutputSpecs(job);
    OutputCommitter committer = setUp(saev);
    commitExamples(1, border, 7);
    commitExamples(0, 0, border);
    committer.commitJob(Tasks.attempt(conf, 0, 0));
    assertThat(sampleMetadata(SaevDataset.open(new LocalFolder(output))))
        .isEqualTo(SAMPLE_METADATA);
    assertThat(sidecars())
        .containsExactlyInAnyOrder(
            "acts000000.examples.jsonl.gz",
            "acts000001.examples.jsonl.gz",
            "acts000003.examples.jsonl.gz");
  }

  @Test
  void sampleMetadataOfFilesThatMakeNoDatasetAreDeletedWithThem() throws Exception {
    OutputCommitter committer = setUp(saev);
    commitExamples(0, 0, 6);
    assertThat(sidecars()).isEmpty();
    assertFails(
        DatasetError.INCOMPLETE,
        "acts000003.bin",
        () -> committer.commitJob(Tasks.attempt(conf, 0, 0)));
    assertThat(output.toFile().list()).isEmpty();
  }

  @Test
  void sampleMetadataOfFewerExamplesFailTheJobBeforeItStarts() throws Exception {
    SafetensorsOutputFormat.setGeometry(conf, new Geometry(8, List.of(1), 10, 16));
    assertFails(
        DatasetError.SAMPLE_METADATA_MISMATCH,
        FaultyFileSystem.path(source),
        () -> new SafetensorsOutputFormat().checkOutputSpecs(job));
  }

  @ParameterizedTest
  @CsvSource({"no.such.Class", "java.lang.String"})
  void aWrongFormatOfTheSampleMetadataFailsTheJobBeforeItStarts(String name) {
    conf.set(OutputKeys.SAMPLE_METADATA_FORMAT.name(), name);
    assertThatThrownBy(() -> saev.checkOutputSpecs(job))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("saev.output.sample.metadata.format is \"" + name + "\" (expected");
  }

  private List<String> sidecars() {
    String[] names = output.toFile().list();
    return List.of(names).stream().filter(name -> name.endsWith(".jsonl.gz")).toList();
  }

  private static List<ExampleMetadata> sampleMetadata(TableDataset dataset) throws IOException {
    List<ExampleMetadata> all = new ArrayList<>();
    try (SampleMetadataCursor cursor = dataset.sampleMetadata().orElseThrow().cursor(0, 7)) {
      for (var next = cursor.next(); next != null; next = cursor.next()) {
        all.add(next);
      }
    }
    return all;
  }
}
