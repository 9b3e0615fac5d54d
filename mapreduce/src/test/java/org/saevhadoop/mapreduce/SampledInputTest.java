package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.input.ExampleSplit;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;

class SampledInputTest {
  private static final int EXAMPLES = 300;
  private static final int EXAMPLE_BYTES = 2 * 2 * 3 * Float.BYTES;
  private static final ExampleSample SAMPLE = new ExampleSample(EXAMPLES, 30, 7);

  @TempDir private Path folder;
  private Job job;

  @BeforeEach
  void write() throws IOException {
    TensorSpec acts = new TensorSpec("acts", DType.F32, List.of((long) EXAMPLES, 2L, 2L, 3L));
    SafetensorsFiles.write(
        folder.resolve("x.safetensors"),
        null,
        List.of(acts),
        ByteBuffer.allocate(EXAMPLES * EXAMPLE_BYTES));
    job = Job.getInstance(new Configuration(false));
    FileInputFormat.setInputPaths(job, folder.toUri().toString());
  }

  @ParameterizedTest
  @CsvSource({"1, false", "1, true", "40, false", "40, true", "7, true", "300, true"})
  void tasksReadTheSampleAndNothingElse(long group, boolean byLayer) throws Exception {
    FileInputFormat.setMaxInputSplitSize(job, 5 * EXAMPLE_BYTES);
    List<InputSplit> splits = splits(group, byLayer, SAMPLE);
    assertThat(
            Tasks.readAll(new SafetensorsInputFormat(), splits, job.getConfiguration()).stream()
                .map(read -> read.key().example())
                .distinct())
        .containsExactlyElementsOf(
            LongStream.range(0, SAMPLE.count()).mapToObj(SAMPLE::example).toList());
    assertThat(splits.stream().mapToLong(SampledInputTest::length).sum())
        .isEqualTo(SAMPLE.count() * EXAMPLE_BYTES);
    assertThat(splits).allMatch(split -> ((ExampleSplit) split).first() % group == 0);
  }

  @Test
  void splitsHaveTheSizeOfTheExamplesThatAreRead() throws Exception {
    FileInputFormat.setMaxInputSplitSize(job, 5 * EXAMPLE_BYTES);
    assertThat(splits(1, false, null)).hasSize(60);
    assertThat(splits(1, false, SAMPLE))
        .hasSize(6)
        .extracting(SampledInputTest::length)
        .containsOnly(5L * EXAMPLE_BYTES);
  }

  @Test
  void splitsOfWhichNothingIsReadAreLeftOut() throws Exception {
    FileInputFormat.setMaxInputSplitSize(job, 1);
    List<InputSplit> splits = splits(2, false, new ExampleSample(EXAMPLES, 3, 7));
    assertThat(splits).hasSize(3).extracting(SampledInputTest::length).containsOnly(48L);
  }

  private List<InputSplit> splits(long group, boolean byLayer, ExampleSample sample)
      throws IOException {
    InputSpec.fromConf(job.getConfiguration(), List.of())
        .with(new RecordRequest(RecordSelection.Unit.BLOCK, byLayer, List.of(), group).with(sample))
        .toConf(job.getConfiguration());
    return new SafetensorsInputFormat().getSplits(job);
  }

  private static long length(InputSplit split) {
    return ((ExampleSplit) split).getLength();
  }
}
