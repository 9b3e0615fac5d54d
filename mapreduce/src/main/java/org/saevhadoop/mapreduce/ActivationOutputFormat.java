package org.saevhadoop.mapreduce;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.saevhadoop.format.dataset.DatasetTarget;

/**
 * Writes one dataset. A task writes whole files: its records are the blocks (or the examples) of
 * one or more of them, in the file's own order.
 */
public abstract class ActivationOutputFormat
    extends FileOutputFormat<ActivationKey, ActivationWritable> {
  /** What the configuration says is to be written. */
  public abstract DatasetTarget target(Configuration conf) throws IOException;

  @Override
  public void checkOutputSpecs(JobContext job) throws IOException {
    target(job.getConfiguration());
    super.checkOutputSpecs(job);
    DatasetCommitter.checkPlace(job.getConfiguration());
  }

  @Override
  public RecordWriter<ActivationKey, ActivationWritable> getRecordWriter(TaskAttemptContext context)
      throws IOException {
    Configuration conf = context.getConfiguration();
    PathOutputCommitter committer = getOutputCommitter(context);
    return new ActivationRecordWriter(
        HadoopFolder.of(committer.getWorkPath(), conf),
        target(conf),
        SaevConf.OUTPUT_SPOOL.getEnum(conf, ActivationRecordWriter.Spool.class));
  }

  // not the base class's: that one remembers the first committer it was asked for
  @Override
  public synchronized PathOutputCommitter getOutputCommitter(TaskAttemptContext context)
      throws IOException {
    Path output = getOutputPath(context);
    return DatasetCommitter.create(output, context, this);
  }
}
