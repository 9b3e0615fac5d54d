package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.job.OutputSpec;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.FormatRegistry;

/**
 * Writes one dataset. Each task writes whole files: its records are the blocks, or the examples, of
 * one or more files, in the order of the file.
 */
public abstract class ActivationOutputFormat
    extends FileOutputFormat<ActivationKey, ActivationWritable> {
  private final DatasetFormat format;
  private final FormatRegistry formats;

  /**
   * Creates an output format for a dataset format.
   *
   * @param formats all formats, because the provenance and settings of any of them may be written
   */
  protected ActivationOutputFormat(DatasetFormat format, FormatRegistry formats) {
    this.format = format;
    this.formats = formats;
  }

  /**
   * Returns what is written according to the configuration.
   *
   * @throws org.saevhadoop.format.io.FormatException if the datasets that settings name do not fit
   *     the output
   */
  public final DatasetWrite write(Configuration conf) throws IOException {
    OutputSpec spec = spec(conf);
    return format.write(
        spec.format().only(format.writingKeys()),
        JobWriteContext.of(formats, spec, directory(conf), conf));
  }

  private OutputSpec spec(Configuration conf) {
    return OutputSpec.fromConf(conf, formats.writingKeys());
  }

  /** Returns the path at which the dataset will be published. */
  private static String directory(Configuration conf) {
    String published = OutputSpec.fromConf(conf, List.of()).publish();
    return published == null ? conf.get(OUTDIR, "") : published;
  }

  /** Sets the shape of the activations that are written. */
  public static void setGeometry(Configuration conf, Geometry geometry) {
    ConfSettings.set(conf, OutputKeys.GEOMETRY, geometry);
  }

  /** Sets the dataset whose labels are written with the examples. */
  public static void setLabels(
      Configuration conf, Path dataset, Class<? extends ActivationInputFormat> format) {
    ConfSettings.set(conf, OutputKeys.LABELS, dataset.toString());
    ConfSettings.set(conf, OutputKeys.LABELS_FORMAT, format.getName());
  }

  /** Sets the dataset whose sample metadata is written with the examples. */
  public static void setAttributes(
      Configuration conf, Path dataset, Class<? extends ActivationInputFormat> format) {
    ConfSettings.set(conf, OutputKeys.ATTRIBUTES, dataset.toString());
    ConfSettings.set(conf, OutputKeys.ATTRIBUTES_FORMAT, format.getName());
  }

  @Override
  public void checkOutputSpecs(JobContext job) throws IOException {
    Configuration conf = job.getConfiguration();
    JobWriteContext.of(formats, spec(conf), directory(conf), conf)
        .checkAttributes(write(conf).plan().table());
    super.checkOutputSpecs(job);
    for (SettingKey<String> key :
        List.of(OutputKeys.LABELS, OutputKeys.ATTRIBUTES, OutputKeys.IDS)) {
      String dataset = ConfSettings.get(conf, key);
      if (dataset != null) {
        TokenCache.obtainTokensForNamenodes(
            job.getCredentials(), new Path[] {new Path(dataset)}, conf);
      }
    }
    DatasetCommitter.checkPlace(conf);
  }

  @Override
  public RecordWriter<ActivationKey, ActivationWritable> getRecordWriter(TaskAttemptContext context)
      throws IOException {
    Configuration conf = context.getConfiguration();
    PathOutputCommitter committer = getOutputCommitter(context);
    return new ActivationRecordWriter(
        HadoopFolder.of(committer.getWorkPath(), conf), write(conf), spec(conf).spool());
  }

  // unlike the superclass, does not cache the committer of the first context
  @Override
  public synchronized PathOutputCommitter getOutputCommitter(TaskAttemptContext context)
      throws IOException {
    Path output = getOutputPath(context);
    return DatasetCommitter.create(output, context, this);
  }
}
