package org.saevhadoop.jobs.merge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.input.ExampleSplit;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.StorageTokens;

/** An input format whose splits are ranges of the files of a job and have no records. */
final class CopySplits extends InputFormat<ActivationKey, ActivationWritable> {
  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException {
    for (String source : ConfSettings.get(job.getConfiguration(), MergeKeys.SOURCES)) {
      StorageTokens.obtain(job, new Path(source));
    }
    List<InputSplit> splits = new ArrayList<>();
    for (CopiedFiles.TaskWork task :
        ConfSettings.get(job.getConfiguration(), MergeKeys.FILES).tasks()) {
      splits.add(new ExampleSplit(task.first(), task.count(), task.bytes(), new String[0]));
    }
    return splits;
  }

  @Override
  public RecordReader<ActivationKey, ActivationWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new NoRecords();
  }

  private static final class NoRecords extends RecordReader<ActivationKey, ActivationWritable> {
    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {}

    @Override
    public boolean nextKeyValue() {
      return false;
    }

    @Override
    public ActivationKey getCurrentKey() {
      throw new IllegalStateException();
    }

    @Override
    public ActivationWritable getCurrentValue() {
      throw new IllegalStateException();
    }

    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
