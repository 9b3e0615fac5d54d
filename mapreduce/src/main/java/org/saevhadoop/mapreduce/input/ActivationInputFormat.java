package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.reader.RecordSelection;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.FormatRegistry;

/**
 * Reads one dataset, the job's one input path, or the part of it that the configuration asks for.
 * Splits are ranges of examples of about a storage block, within {@code
 * mapreduce.input.fileinputformat.split.minsize} and {@code .maxsize}, counted in bytes that are
 * read.
 */
public abstract class ActivationInputFormat
    extends FileInputFormat<ActivationKey, ActivationWritable> {
  /** Opens datasets. */
  @FunctionalInterface
  protected interface Opener {
    /**
     * Opens all of a dataset, whatever part of it the configuration asks for.
     *
     * @param settings how its files are read
     */
    TableDataset open(Location location, Settings settings, Configuration conf) throws IOException;
  }

  private final List<SettingKey<?>> readingKeys;
  private final Opener opener;

  /**
   * Creates the input format of a format.
   *
   * @param formats all formats, any of which may have recorded the provenance of the dataset
   */
  protected ActivationInputFormat(DatasetFormat format, FormatRegistry formats) {
    this(
        format.readingKeys(),
        (location, settings, conf) -> format.open(location, settings, formats::clsTokens));
  }

  /**
   * Creates an input format.
   *
   * @param readingKeys those that say how files are read
   */
  protected ActivationInputFormat(List<SettingKey<?>> readingKeys, Opener opener) {
    this.readingKeys = readingKeys;
    this.opener = opener;
  }

  /** Opens all of the dataset at a path, whatever part of it the configuration asks for. */
  public TableDataset open(Path path, Configuration conf) throws IOException {
    return open(path, spec(conf).format(), conf);
  }

  private TableDataset open(Path path, Settings settings, Configuration conf) throws IOException {
    return opener.open(new HadoopStorage(conf).locate(path), settings, conf);
  }

  /** Returns what a job asks for. */
  final InputSpec spec(Configuration conf) {
    return InputSpec.fromConf(conf, readingKeys);
  }

  /** Opens what a job asks for of its dataset. */
  final TableDataset openInput(JobContext job, InputSpec spec) throws IOException {
    TableDataset all = open(onlyPath(job), spec.format(), job.getConfiguration());
    return spec.projection().resolve(all).of(all);
  }

  /**
   * Returns the order in which a job reads the blocks of its dataset.
   *
   * @throws FormatException if its columns are no activations and records are not blocks
   */
  static RecordSelection selection(InputSpec spec, TableDataset dataset) throws FormatException {
    if (!(dataset instanceof ActivationDataset)
        && spec.record().unit() != RecordSelection.Unit.BLOCK) {
      throw DatasetError.NO_ACTIVATIONS.in(
          dataset.folder().path(),
          "its columns %s are no activations (expected saev.input.record=block, or"
              + " saev.input.tensors)",
          dataset.table().columns());
    }
    return spec.record().selection(dataset.table());
  }

  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException {
    InputSpec spec = spec(job.getConfiguration());
    TableDataset dataset = openInput(job, spec);
    SplitSizes sizes =
        new SplitSizes(
            Math.max(getFormatMinSplitSize(), getMinSplitSize(job)), getMaxSplitSize(job));
    StorageBlocks blocks = StorageBlocks.of(onlyPath(job), job.getConfiguration());
    return new ArrayList<>(ExampleSplits.of(dataset, selection(spec, dataset), sizes, blocks));
  }

  @Override
  public RecordReader<ActivationKey, ActivationWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new ActivationRecordReader(this);
  }

  /** The job's input path. */
  static Path onlyPath(JobContext job) throws IOException {
    Path[] paths = getInputPaths(job);
    if (paths.length != 1) {
      throw DatasetError.BAD_SELECTION.in(
          Arrays.toString(paths), "a job reads one dataset (expected one input path)");
    }
    return paths[0];
  }
}
