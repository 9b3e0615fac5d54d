package org.saevhadoop.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.mapreduce.NpyInputFormat;
import org.saevhadoop.mapreduce.Tasks;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/** What tasks know of the headers of all files. */
class TaskSurveyTest {
  @TempDir Path folder;

  /** Writes an array of examples of one token. */
  private static byte[] npy(int examples) {
    String header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 4), }".formatted(examples);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0});
    bytes.writeBytes("%-117s\n".formatted(header).getBytes(StandardCharsets.US_ASCII));
    bytes.writeBytes(new byte[examples * 16]);
    return bytes.toByteArray();
  }

  private static int records(NpyInputFormat format, InputSplit split, Configuration conf)
      throws IOException, InterruptedException {
    TaskAttemptContext context = Tasks.attempt(conf, 0, 0);
    int records = 0;
    try (RecordReader<ActivationKey, ActivationWritable> reader =
        format.createRecordReader(split, context)) {
      reader.initialize(split, context);
      while (reader.nextKeyValue()) {
        records++;
      }
    }
    return records;
  }

  @Test
  void aTaskReadsTheHeadersOfItsOwnFilesOnly() throws Exception {
    Files.write(folder.resolve("x_0.npy"), npy(2));
    Files.write(folder.resolve("x_1.npy"), npy(2));
    Job job = Job.getInstance(new Configuration());
    FileInputFormat.setInputPaths(job, new org.apache.hadoop.fs.Path(folder.toUri()));
    FileInputFormat.setMaxInputSplitSize(job, 32);
    NpyInputFormat format = new NpyInputFormat();
    List<InputSplit> splits = format.getSplits(job);
    assertThat(splits).hasSize(2);
    byte[] garbage = new byte[npy(2).length];
    Arrays.fill(garbage, (byte) 7);
    Files.write(folder.resolve("x_1.npy"), garbage);
    Configuration conf = job.getConfiguration();
    assertThat(records(format, splits.get(0), conf)).isEqualTo(2);
    assertThatThrownBy(() -> records(format, splits.get(1), conf))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("x_1.npy");
    Files.write(folder.resolve("x_1.npy"), npy(3));
    assertThatThrownBy(() -> records(format, splits.get(0), conf))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("files were added, removed or rewritten after the job had begun");
    conf.set(ArrayKeys.SURVEY.name(), "AAAA");
    assertThatThrownBy(() -> records(format, splits.get(0), conf))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining(ArrayKeys.SURVEY.name());
  }
}
