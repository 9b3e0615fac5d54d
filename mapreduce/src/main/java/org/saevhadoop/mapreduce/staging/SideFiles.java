package org.saevhadoop.mapreduce.staging;

import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Output of tasks that write no records, but files of their own. */
final class SideFiles extends FileOutputFormat<NullWritable, NullWritable> {
  @Override
  public void checkOutputSpecs(JobContext job) {
    // the folder exists: it was made for this job, and another pass may have written to it
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
        // nothing is open
      }
    };
  }
}
