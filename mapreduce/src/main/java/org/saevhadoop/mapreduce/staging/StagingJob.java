package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.spi.StreamAccess.Part;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.input.DatasetInputFormat;
import org.saevhadoop.mapreduce.input.ShardSplit;
import org.saevhadoop.mapreduce.input.StreamInputFormat;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.SpoolFolder;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.InputSpec;

/**
 * The job of one pass: a map-only job in which each task reads one part and writes its files to a
 * folder. The tasks are threads of this process or Hadoop mappers.
 *
 * @param source the path of the stream
 * @param input the stream, and the part of it that is staged
 * @param settings the settings of the pass, as passed to the tasks
 * @param bytes the number of bytes that the map tasks read
 */
public record StagingJob(
    DatasetFormat format,
    StoragePath source,
    InputSpec input,
    Settings settings,
    long bytes,
    StoragePath folder) {
  /** Submits a job and waits for its completion. */
  @FunctionalInterface
  public interface Runner {
    void run(StagingJob job) throws IOException, InterruptedException;
  }

  /** Returns the name of the job as a step of the verb, for progress and messages. */
  public String step() {
    return StagingPass.of(settings).compares() ? "verify" : "unpack";
  }

  /** Returns the class that reads parts. */
  public Class<? extends InputFormat<?, ?>> inputFormat() {
    return Parts.class;
  }

  /** Returns the class that stages a part. */
  public Class<? extends Mapper<?, ?, ?, ?>> mapper() {
    return StagePart.class;
  }

  /** Returns the parts in order. */
  public List<Part> parts() throws IOException {
    StreamAccess stream = format.stream().orElseThrow();
    return StagingPass.of(settings)
        .only(stream.parts(source.locate(), input.format()), part -> part, source.shown());
  }

  /** Opens a part, which {@link #stage} reads. */
  public OpenPart open(Part part) throws IOException {
    return OpenPart.open(source, part);
  }

  /**
   * Catalogues, stages or compares one part in this process.
   *
   * @param read the meter for the bytes that are read
   * @param files the folder of the task
   * @param written accepts counts of bytes written
   * @param local a folder on the local disk for temporary files
   */
  public void stage(
      OpenPart part, ByteMeter read, Folder files, LongConsumer written, java.nio.file.Path local)
      throws IOException {
    StreamAccess stream = format.stream().orElseThrow();
    new PartStaging(stream, input, StagingPass.of(settings), folder)
        .run(part, read, files, written, local);
  }

  private static InputSpec spec(DatasetFormat format, Configuration conf) {
    return InputSpec.fromConf(conf, format.readingKeys());
  }

  /** InputFormat that supplies the part of a split as the only record of a task. */
  static final class Parts extends InputFormat<NullWritable, OpenPart> {
    @Override
    public List<InputSplit> getSplits(JobContext job) throws IOException {
      Configuration conf = job.getConfiguration();
      DatasetFormat format = DatasetInputFormat.format(conf);
      Path source = ActivationInputFormat.onlyPath(job);
      StorageTokens.obtain(job, source);
      List<ShardSplit> splits =
          StreamInputFormat.splits(
              format.stream().orElseThrow(), source, spec(format, conf).format(), conf);
      return new ArrayList<>(
          StagingPass.fromConf(conf).only(splits, ShardSplit::part, source.toString()));
    }

    @Override
    public RecordReader<NullWritable, OpenPart> createRecordReader(
        InputSplit split, TaskAttemptContext context) {
      return new OpenPartReader();
    }
  }

  /** Catalogues or stages one part. */
  static final class StagePart extends Mapper<NullWritable, OpenPart, NullWritable, NullWritable> {
    @Override
    protected void map(NullWritable key, OpenPart opened, Context context)
        throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      DatasetFormat format = DatasetInputFormat.format(conf);
      PartStaging staging =
          new PartStaging(
              format.stream().orElseThrow(),
              spec(format, conf),
              StagingPass.fromConf(conf),
              SideFiles.folder(conf));
      Counter written = context.getCounter(DatasetCounter.BYTES_WRITTEN);
      staging.run(
          opened,
          read(context),
          SideFiles.create(context),
          bytes -> {
            written.increment(bytes);
            context.progress();
          },
          SpoolFolder.of(conf));
    }

    /**
     * Returns a meter for the bytes that are read. A task has one record, and Hadoop reads the
     * progress of a task from its reader only between records; requesting one more record, which
     * does not exist, makes Hadoop read the progress.
     */
    private static ByteMeter read(Context context) {
      Counter sum = context.getCounter(DatasetCounter.BYTES_READ);
      return new ByteMeter(
          bytes -> {
            sum.increment(bytes);
            try {
              context.nextKeyValue();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
  }
}
