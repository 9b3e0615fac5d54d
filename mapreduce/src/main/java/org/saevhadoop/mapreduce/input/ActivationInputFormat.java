package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;

/**
 * Reads one dataset, at the job's only input path, or the part of it that the configuration
 * selects. Splits are ranges of examples of about one storage block, within {@code
 * mapreduce.input.fileinputformat.split.minsize} and {@code .maxsize}; sizes are counted in bytes
 * that are read.
 */
@PublicApi
public abstract class ActivationInputFormat
    extends FileInputFormat<ActivationKey, ActivationWritable> {
  private final @Nullable DatasetFormat format;

  /**
   * Creates an input format for a dataset format.
   *
   * @hidden
   */
  @Internal
  protected ActivationInputFormat(DatasetFormat format) {
    this.format = format;
  }

  /** Creates an input format for the source that the configuration of a job names. */
  ActivationInputFormat() {
    this.format = null;
  }

  private DatasetFormat format() {
    return Objects.requireNonNull(format);
  }

  /** Returns the reading keys of the format. */
  List<SettingKey<?>> readingKeys(Configuration conf) {
    return format().readingKeys();
  }

  /** Returns the data that the client has read, so that tasks do not have to read it again. */
  Settings forTasks(TableDataset whole, Configuration conf) {
    return format().forTasks(whole, Settings.NONE);
  }

  /**
   * Opens the whole dataset at a path, regardless of the projection in the configuration.
   *
   * @throws FormatException if there is no dataset, or it is malformed
   */
  public TableDataset open(Path path, Configuration conf) throws IOException {
    return open(new HadoopStorage(conf).locate(path), conf);
  }

  /**
   * Opens the whole dataset at a path that the job's client has opened before. If possible, a
   * format reads only the data that locates blocks, and does not list the folder.
   *
   * @throws FormatException if there is no dataset, or it is malformed
   */
  public TableDataset openChecked(Path path, Configuration conf) throws IOException {
    return open(new HadoopStorage(conf).locateChecked(path).checked(), conf);
  }

  private TableDataset open(Location location, Configuration conf) throws IOException {
    return format().open(location, spec(conf).format(), DatasetFormats.registry());
  }

  /**
   * Opens the selected part of the dataset that a configuration names, in a task of a job whose
   * client has opened it before.
   *
   * @throws FormatException if there is no dataset, or it is malformed
   */
  public final TableDataset openPart(Configuration conf) throws IOException {
    InputSpec spec = spec(conf);
    Path path = new Path(Objects.requireNonNull(spec.source()).path());
    return part(openChecked(path, conf), spec);
  }

  /** Opens the dataset of a job, as {@link #openPart(Configuration)} does. */
  public static TableDataset openPart(JobContext job) throws IOException {
    try {
      return openPart(job.getInputFormatClass(), job.getConfiguration());
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  /** Opens a dataset with an input format, as {@link #openPart(Configuration)} does. */
  public static TableDataset openPart(Class<?> format, Configuration conf) throws IOException {
    return ReflectionUtils.newInstance(format.asSubclass(ActivationInputFormat.class), conf)
        .openPart(conf);
  }

  /** Returns the input that a job's configuration defines. */
  final InputSpec spec(Configuration conf) {
    return InputSpec.fromConf(conf, readingKeys(conf));
  }

  /** Opens the dataset of a job in one of its tasks, restricted to the projection. */
  final TableDataset openInTask(JobContext job, InputSpec spec) throws IOException {
    Configuration conf = job.getConfiguration();
    Path path = onlyPath(job);
    return part(openChecked(path, conf), spec);
  }

  private static TableDataset part(TableDataset all, InputSpec spec) throws IOException {
    return spec.projection().resolve(all).of(all);
  }

  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException {
    Configuration conf = job.getConfiguration();
    Path path = onlyPath(job);
    StorageTokens.obtain(job, path);
    InputSpec spec = spec(conf);
    NormalizedInput.obtainTokens(spec, job);
    TableDataset whole = open(path, conf);
    // before Hadoop writes the configuration for tasks
    ConfSettings.write(forTasks(whole, conf), conf);
    List<ExampleSplit> splits = splits(part(whole, spec), spec, job);
    SplitMetadata.permit(splits, conf);
    return new ArrayList<>(splits);
  }

  /**
   * Returns the splits of an open dataset.
   *
   * @param part the part of the dataset that is read
   * @hidden
   */
  @Internal
  public static List<ExampleSplit> splits(TableDataset part, InputSpec spec, JobContext job)
      throws IOException {
    Configuration conf = job.getConfiguration();
    long min = Math.max(1, getMinSplitSize(job));
    long max = getMaxSplitSize(job);
    return ExampleSplits.of(
        part,
        RecordCursor.selection(spec, part),
        block -> Math.max(min, Math.min(max, block)),
        StorageBlocks.of(conf),
        ConfSettings.get(conf, ConversionKeys.MISSING));
  }

  @Override
  public RecordReader<ActivationKey, ActivationWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new ActivationRecordReader(this);
  }

  /**
   * Returns the job's input path, or the source of a conversion, which is not passed as an input
   * path because Hadoop expands variables in input paths.
   *
   * @throws FormatException if there is not exactly one
   */
  public static Path onlyPath(JobContext job) throws IOException {
    SourceReference source = InputSpec.fromConf(job.getConfiguration(), List.of()).source();
    if (source != null) {
      return new Path(source.path());
    }
    Path[] paths = getInputPaths(job);
    if (paths.length != 1) {
      throw DatasetError.BAD_SELECTION.in(
          Arrays.toString(paths), "a job reads one dataset (expected one input path)");
    }
    return paths[0];
  }
}
