package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.InvalidJobConfException;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.DatasetWriter;
import org.saevhadoop.format.dataset.write.DatasetWriter.Spool;
import org.saevhadoop.format.publish.DatasetPublication;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.io.MeteredFolder;
import org.saevhadoop.mapreduce.io.SpoolFolder;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.job.OutputSpec;
import org.saevhadoop.mapreduce.publish.HadoopRunStorage;

/**
 * Writes one dataset. Each task writes whole files: its records are the blocks, or the examples, of
 * one or more files, in the order of the files.
 */
@PublicApi
public abstract class ActivationOutputFormat
    extends FileOutputFormat<ActivationKey, ActivationWritable> {
  private final Function<Configuration, DatasetWriting> writing;

  /**
   * Creates an output format for a dataset format that can be written.
   *
   * @hidden
   */
  @Internal
  protected ActivationOutputFormat(DatasetFormat format) {
    DatasetWriting same = format.writing().orElseThrow();
    this.writing = conf -> same;
  }

  /**
   * Creates an output format for any dataset format that can be written.
   *
   * @param format returns the format that the configuration of a job names
   * @hidden
   */
  @Internal
  protected ActivationOutputFormat(Function<Configuration, DatasetFormat> format) {
    this.writing = conf -> format.apply(conf).writing().orElseThrow();
  }

  /**
   * Returns the output that the configuration defines. Datasets from which labels, sample metadata
   * and ids are read are not checked again, because {@link #checkOutputSpecs} has checked them.
   *
   * @throws org.saevhadoop.format.io.FormatException if the datasets named in the settings do not
   *     fit the output
   * @hidden
   */
  @Internal
  public final DatasetWrite write(Configuration conf) throws IOException {
    return write(context(true, conf), conf);
  }

  /**
   * Returns the number of examples in a data file, according to the configuration. A task must
   * write whole files.
   *
   * @throws org.saevhadoop.format.io.FormatException if the datasets named in the settings do not
   *     fit the output
   */
  public final long examplesPerShard(Configuration conf) throws IOException {
    return write(conf).plan().examplesPerShard();
  }

  private DatasetWrite write(JobWriteContext context, Configuration conf) throws IOException {
    DatasetWriting format = writing.apply(conf);
    return format.write(ConfSettings.read(conf, format.writingKeys()), context);
  }

  private JobWriteContext context(boolean checked, Configuration conf) {
    return new JobWriteContext(
        DatasetFormats.registry(),
        spec(conf),
        directory(conf),
        JobWriteContext.once(new JobDatasets(checked, conf)::source),
        new JobDatasets(checked, conf)::other);
  }

  private OutputSpec spec(Configuration conf) {
    return OutputSpec.fromConf(conf, DatasetFormats.registry().writingKeys());
  }

  /** Returns the path at which the dataset will be published. */
  private static String directory(Configuration conf) {
    String published = ConfSettings.get(conf, OutputKeys.PUBLISH);
    return published == null ? conf.get(OUTDIR, "") : published;
  }

  private static OutputLocation location(JobContext job) throws IOException {
    return OutputLocation.of(job.getConfiguration(), getOutputPath(job));
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
  public static void setSampleMetadata(
      Configuration conf, Path dataset, Class<? extends ActivationInputFormat> format) {
    ConfSettings.set(conf, OutputKeys.SAMPLE_METADATA, dataset.toString());
    ConfSettings.set(conf, OutputKeys.SAMPLE_METADATA_FORMAT, format.getName());
  }

  @Override
  public void checkOutputSpecs(JobContext job) throws IOException {
    Configuration conf = job.getConfiguration();
    JobWriteContext context = context(false, conf);
    context.checkSampleMetadata(write(context, conf).plan().table());
    OutputLocation location = location(job);
    if (location.folder() == null) { // as the superclass does
      throw new InvalidJobConfException("Output directory not set.");
    }
    OutputTokens.obtain(job, HadoopPath.hadoop(location.data()));
    if (!location.isRun()) { // a run that is continued finds its files there
      DatasetPublication.checkFree(
          location.data(), false, HadoopRunStorage.of(location.data(), conf));
    }
    OutputSpec spec = location.spec();
    if (spec.publish() != null && !spec.isDirect()) {
      StoragePath published = HadoopPath.parse(spec.publish(), conf);
      DatasetPublication.checkFree(published, spec.replace(), HadoopRunStorage.of(published, conf));
    }
  }

  @Override
  public RecordWriter<ActivationKey, ActivationWritable> getRecordWriter(TaskAttemptContext context)
      throws IOException {
    Configuration conf = context.getConfiguration();
    PathOutputCommitter committer = getOutputCommitter(context);
    OutputSpec spec = spec(conf);
    OutputLocation location = location(context);
    StoragePath work = HadoopPath.of(committer.getWorkPath(), conf);
    return new ActivationRecordWriter(
        new DatasetWriter(
            () -> HadoopRunStorage.createWithin(location.root(), work, conf),
            new MeteredFolder(
                work.folder(spec.isForced(work.isLocal()), spec.isCompared()),
                ByteMeter.of(context, DatasetCounter.BYTES_WRITTEN)),
            write(conf),
            ConfSettings.get(conf, ConversionKeys.WINDOWS) ? Spool.TRUE : spec.spool(),
            ConfSettings.get(conf, ConversionKeys.RUNS),
            SpoolFolder.of(conf)));
  }

  // unlike the superclass, does not cache the committer of the first context
  @Override
  public synchronized PathOutputCommitter getOutputCommitter(TaskAttemptContext context)
      throws IOException {
    return DatasetCommitter.create(location(context), context, this);
  }
}
