package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.WrittenBatches;
import org.saevhadoop.mapreduce.Tasks.Read;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.job.InputKeys;

/** Jobs that read a part of a dataset. */
@ResourceLock(FaultyFileSystem.SCHEME)
class ProjectedInputTest {
  private static final Geometry GEOMETRY = new Geometry(7, List.of(13, 21, 23), 10, 16);
  private static final InventedDataset INVENTED = new InventedDataset(GEOMETRY, false, 1);

  @TempDir Path folder;
  private Job job;
  private Configuration conf;

  @BeforeEach
  void configure() throws IOException {
    job = Job.getInstance(new Configuration(false));
    conf = job.getConfiguration();
    FaultyFileSystem.register(conf);
    FileInputFormat.setInputPaths(job, new org.apache.hadoop.fs.Path(folder.toUri()));
    conf.set(InputKeys.EXAMPLES.name(), "5:,1");
    conf.set(InputKeys.LAYERS.name(), "23,13");
    conf.set(InputKeys.TOKENS.name(), "2,7:9");
  }

  private void write(Columns columns) throws IOException {
    InventedFiles.write(
        WrittenBatches.plan(GEOMETRY, columns, 2, Provenance.NONE), new LocalFolder(folder));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ROWS")
  void keysCarryTheNumbersOfTheSource(Columns columns) throws Exception {
    write(columns);
    conf.set(InputKeys.RECORD.name(), "vector");
    List<Read> records = read();
    assertThat(records).hasSize(3 * 2 * 3);
    int next = 0;
    for (int example : new int[] {5, 6, 1}) {
      for (int layer : new int[] {2, 0}) {
        for (int token : new int[] {2, 7, 8}) {
          Read record = records.get(next++);
          assertThat(record.key())
              .isEqualTo(new ActivationKey(example, GEOMETRY.layers().get(layer), token));
          assertThat(record.value().bytes()).isEqualTo(INVENTED.vector(example, layer, token));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ROWS")
  void keysCarryTheNumbersOfTheSelectionIfTheyAreAskedFor(Columns columns) throws Exception {
    write(columns);
    conf.set(InputKeys.RECORD.name(), "vector");
    conf.set(InputKeys.NUMBERING.name(), "selection");
    List<Read> records = read();
    for (int i = 0; i < records.size(); i++) {
      assertThat(records.get(i).key())
          .isEqualTo(new ActivationKey(i / 6, i / 3 % 2 == 0 ? 23 : 13, i % 3));
    }
    assertThat(records.get(4).value().bytes()).isEqualTo(INVENTED.vector(5, 0, 7));
  }

  @Test
  void wholeExamplesHaveTheLayersAndTokensThatWereSelected() throws Exception {
    write(Columns.LAYERS);
    List<Read> records = read();
    assertThat(records)
        .extracting(Read::key)
        .containsExactly(
            new ActivationKey(5, ActivationKey.ALL, 2),
            new ActivationKey(6, ActivationKey.ALL, 2),
            new ActivationKey(1, ActivationKey.ALL, 2));
    ByteBuffer bytes = records.get(2).value().bytes();
    assertThat(records.get(2).value().shape()).containsExactly(2, 3, 16);
    assertThat(bytes.slice(4 * 64, 64)).isEqualTo(INVENTED.vector(1, 0, 7));
  }

  @Test
  void layerOrderAndGroupsCountTheExamplesThatWereSelected() throws Exception {
    write(Columns.LAYERS);
    conf.set(InputKeys.RECORD.name(), "block");
    conf.set(InputKeys.ORDER.name(), "layer");
    conf.set(InputKeys.GROUP.name(), "2");
    FileInputFormat.setMaxInputSplitSize(job, 1);
    assertThat(read().stream().map(read -> read.key().example() + "." + read.key().layer()))
        .containsExactly("5.23", "6.23", "5.13", "6.13", "1.23", "1.13");
  }

  @Test
  void splitsCountTheBytesThatAreReadAndOpenNoFileOfOthers() throws Exception {
    write(Columns.LAYERS);
    int example = 2 * 3 * 64;
    FileInputFormat.setMaxInputSplitSize(job, 2 * example);
    FileInputFormat.setInputPaths(job, FaultyFileSystem.path(folder));
    List<InputSplit> splits = new SafetensorsInputFormat().getSplits(job);
    assertThat(splits)
        .extracting(InputSplit::getLength)
        .containsExactly(2L * example, 1L * example);
    assertThat(splits.get(0).getLocations())
        .containsExactly("host-of-" + shard(2), "host-of-" + shard(3));
    assertThat(splits.get(1).getLocations()).containsExactly("host-of-" + shard(0));
    Tasks.readAll(new SafetensorsInputFormat(), splits, conf);
    assertThat(FaultyFileSystem.opened()).doesNotContain(shard(1));
  }

  private String shard(int index) throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".safetensors"))
          .sorted()
          .toList()
          .get(index);
    }
  }

  @Test
  void aLimitTakesTheFirstOfThoseThatWereSelected() throws Exception {
    write(Columns.ACTS);
    conf.set(InputKeys.LIMIT.name(), "2");
    assertThat(read()).extracting(read -> read.key().example()).containsExactly(5L, 6L);
    conf.unset(InputKeys.EXAMPLES.name());
    assertThat(read()).extracting(read -> read.key().example()).containsExactly(0L, 1L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "saev.input.examples | 7 | BAD_SELECTION",
        "saev.input.examples | 6,-1 | BAD_SELECTION",
        "saev.input.examples | 7: | EMPTY_SELECTION",
        "saev.input.layers | 13-14 | NO_SUCH_LAYER",
        "saev.input.tokens | 10 | BAD_SELECTION"
      })
  void whatTheDatasetDoesNotHaveFailsTheJobBeforeItStarts(
      String key, String value, DatasetError kind) throws Exception {
    write(Columns.LAYERS);
    conf.set(key, value);
    assertFails(kind, folder, this::read);
  }

  private List<Read> read() throws IOException, InterruptedException {
    SafetensorsInputFormat format = new SafetensorsInputFormat();
    return Tasks.readAll(format, format.getSplits(job), conf);
  }
}
