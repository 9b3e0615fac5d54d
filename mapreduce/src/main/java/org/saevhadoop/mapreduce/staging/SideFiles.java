package org.saevhadoop.mapreduce.staging;

import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Output format of tasks that write files of their own instead of records. */
final class SideFiles extends FileOutputFormat<NullWritable, NullWritable> {
  @Override
  public void checkOutputSpecs(JobContext job) {
    // the folder exists: it was created for this job, and an earlier pass may have written to it
  }

  @Override
  public RecordWriter<NullWritable, NullWritable> getRecordWriter(TaskAttemptContext task) {
    return new RecordWriter<>() {
      @Override
      public void write(NullWritable key, NullWritable value) {
        throw new UnsupportedOperationException("tasks write files of their own");
      }

      @Override
      public void close(TaskAttemptContext context) {
        // no open resources
      }
    };
  }
}
