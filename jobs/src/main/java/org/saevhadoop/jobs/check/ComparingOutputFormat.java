package org.saevhadoop.jobs.check;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.DatasetWriter;
import org.saevhadoop.format.dataset.write.DatasetWriter.Spool;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.io.MeteredFolder;
import org.saevhadoop.mapreduce.io.SpoolFolder;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.output.ActivationRecordWriter;
import org.saevhadoop.mapreduce.output.DatasetOutputFormat;
import org.saevhadoop.mapreduce.output.OutputTokens;
import org.saevhadoop.mapreduce.publish.HadoopRunStorage;

/**
 * Writes a dataset in the same way as the output format of its dataset format, but into a {@link
 * ComparedFolder}. The output folder of the job receives only the work files of tasks.
 */
final class ComparingOutputFormat extends FileOutputFormat<ActivationKey, ActivationWritable> {
  @Override
  public void checkOutputSpecs(JobContext job) throws IOException {
    super.checkOutputSpecs(job);
    OutputTokens.obtain(job, HadoopPath.hadoop(written(job.getConfiguration())));
  }

  private static StoragePath written(Configuration conf) throws IOException {
    return HadoopPath.of(new Path(ConfSettings.get(conf, ConversionKeys.VERIFY_WRITTEN)), conf);
  }

  @Override
  public RecordWriter<ActivationKey, ActivationWritable> getRecordWriter(TaskAttemptContext context)
      throws IOException {
    Configuration conf = context.getConfiguration();
    DatasetWrite write = new DatasetOutputFormat().write(conf);
    PathOutputCommitter committer = (PathOutputCommitter) getOutputCommitter(context);
    StoragePath work = HadoopPath.of(committer.getWorkPath(), conf);
    StoragePath output = HadoopPath.of(committer.getOutputPath(), conf);
    ComparedFolder folder = ConversionCheck.folder(written(conf), work.folder(), write, conf);
    return new ActivationRecordWriter(
        new DatasetWriter(
            () -> HadoopRunStorage.createWithin(output, work, conf),
            new MeteredFolder(folder, ByteMeter.of(context, DatasetCounter.BYTES_COMPARED)),
            write,
            Spool.FALSE,
            true,
            SpoolFolder.of(conf)));
  }
}
