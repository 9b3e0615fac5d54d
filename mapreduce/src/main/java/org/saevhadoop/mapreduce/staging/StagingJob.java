package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.input.ShardSplit;
import org.saevhadoop.mapreduce.input.StreamInputFormat;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.MeteredFolder;
import org.saevhadoop.mapreduce.io.SpoolFolder;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.InputSpec;

/**
 * The job of one pass: a map-only job in which each task reads one part and writes its files to a
 * folder.
 *
 * @param source the path of the stream
 * @param input the stream, and the part of it that is staged
 * @param settings what tasks need to know of the pass
 * @param bytes the number of bytes that the maps read
 */
public record StagingJob(
    StoragePath source, InputSpec input, Settings settings, long bytes, StoragePath folder) {
  /** Submits a job and waits for its completion. */
  @FunctionalInterface
  public interface Runner {
    /** Runs a job. */
    void run(StagingJob job) throws IOException, InterruptedException;
  }

  /** Returns the step of the verb that the job is, for progress and messages. */
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

  /** Sets the output of a job: the files that tasks write themselves. */
  public void setOutput(Job job) {
    SideFiles.setOutput(job, folder);
  }

  private static InputSpec spec(DatasetFormat format, Configuration conf) {
    return InputSpec.fromConf(conf, format.readingKeys());
  }

  /** Returns the part of a split as the only record of a task. */
  static final class Parts extends InputFormat<NullWritable, OpenPart> {
    @Override
    public List<InputSplit> getSplits(JobContext job) throws IOException {
      Configuration conf = job.getConfiguration();
      DatasetFormat format = StagedInputFormat.format(conf);
      List<Integer> asked = StagingPass.fromConf(conf).parts();
      Set<Integer> numbers = asked == null ? null : new HashSet<>(asked);
      Path source = ActivationInputFormat.onlyPath(job);
      StorageTokens.obtain(job, source);
      List<InputSplit> splits = new ArrayList<>();
      for (ShardSplit split :
          StreamInputFormat.splits(
              format.stream().orElseThrow(), source, spec(format, conf).format(), conf)) {
        if (numbers == null || numbers.contains(split.part().number())) {
          splits.add(split);
        }
      }
      return splits;
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
      DatasetFormat format = StagedInputFormat.format(conf);
      StreamAccess stream = format.stream().orElseThrow();
      InputSpec spec = spec(format, conf);
      // not on a local disk, where shards are unpacked in place
      Folder files = SideFiles.create(context);
      StagedFolder target =
          StagedFolder.ofTask(
              files instanceof LocalFolder
                  ? files
                  : new MeteredFolder(files, ByteMeter.of(context, DatasetCounter.BYTES_WRITTEN)),
              false);
      java.nio.file.Path local = SpoolFolder.of(conf);
      ByteMeter read = read(context);
      opened.meter(read);
      List<Input> inputs = List.copyOf(opened.inputs());
      StagingPass pass = StagingPass.fromConf(conf);
      StagedFolder staged = StagedFolder.of(SideFiles.folder(conf).folder());
      if (pass.catalogues()) {
        stream.catalogue(opened.part(), inputs, spec.format(), target, local);
      } else {
        stream.stage(
            opened.part(), inputs, spec.format(), spec.projection(), staged, target, local);
      }
      read.flush(); // Hadoop takes no progress of a reader that is being closed
      if (files instanceof LocalFolder) {
        long written = files.files().values().stream().mapToLong(Long::longValue).sum();
        context.getCounter(DatasetCounter.BYTES_WRITTEN).increment(written);
      }
      StagingPass.commit(target, opened.part(), pass.catalogues());
      if (pass.compares()) {
        String part = StagingPass.name(opened.part());
        staged.compare(part, target.record(part).orElseThrow());
        for (String name : files.files().keySet()) {
          files.delete(name); // so that nothing is committed
        }
      }
    }

    /**
     * Returns a meter of the bytes that are read. A task has one record, and Hadoop takes the
     * progress of a task from its reader only between records; to ask for another one, of which
     * there is none, makes it do so.
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
