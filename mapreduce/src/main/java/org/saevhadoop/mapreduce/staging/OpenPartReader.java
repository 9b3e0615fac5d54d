package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.input.ShardSplit;
import org.saevhadoop.mapreduce.io.HadoopPath;

/** Record reader that returns the part of a split as its only record. */
final class OpenPartReader extends RecordReader<NullWritable, OpenPart> {
  private OpenPart part;
  private boolean taken;

  @Override
  public void initialize(InputSplit split, TaskAttemptContext task) throws IOException {
    part =
        OpenPart.open(
            HadoopPath.of(ActivationInputFormat.onlyPath(task), task.getConfiguration()),
            ((ShardSplit) split).part());
  }

  @Override
  public boolean nextKeyValue() {
    boolean first = !taken;
    taken = true;
    return first;
  }

  @Override
  public NullWritable getCurrentKey() {
    return NullWritable.get();
  }

  @Override
  public OpenPart getCurrentValue() {
    return part;
  }

  @Override
  public float getProgress() {
    return part == null ? 0 : part.progress();
  }

  @Override
  public void close() throws IOException {
    if (part != null) {
      part.close();
    }
  }
}
