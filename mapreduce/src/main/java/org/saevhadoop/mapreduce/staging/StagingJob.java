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
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.input.ShardSplit;
import org.saevhadoop.mapreduce.input.StreamInputFormat;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.MeteredFolder;
import org.saevhadoop.mapreduce.io.SpoolFolder;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;
import org.saevhadoop.mapreduce.job.JobName;
import org.saevhadoop.mapreduce.publish.RunFolder;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.StreamAccess;

/** The job of one pass: each task reads one part and writes its files to a folder. */
final class StagingJob {
  private StagingJob() {}

  static Job create(
      DatasetFormat format,
      Path source,
      Settings settings,
      ProjectionRequest request,
      StagingPass pass,
      Path folder,
      Configuration conf)
      throws IOException {
    Configuration own = new Configuration(conf);
    own.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    own.setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    String path = source.getFileSystem(conf).makeQualified(source).toString();
    InputSpec any = InputSpec.of(Settings.NONE, List.of());
    new InputSpec(
            new SourceReference(path, format.name(), false),
            request,
            any.record(),
            any.numbers(),
            any.numbering(),
            settings)
        .toConf(own);
    pass.toConf(own);
    Job job = Job.getInstance(own, JobName.of("unpack", source));
    job.setJarByClass(StagingJob.class);
    job.setInputFormatClass(Parts.class);
    job.setMapperClass(StagePart.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(SideFiles.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    SideFiles.setFolder(job, folder);
    return job;
  }

  private static InputSpec spec(DatasetFormat format, Configuration conf) {
    return InputSpec.fromConf(conf, format.readingKeys());
  }

  private static DatasetFormat format(Configuration conf) {
    return StagedFormat.of(InputSpec.fromConf(conf, List.of()));
  }

  /** Returns the part of a split as the only record of a task. */
  static final class Parts extends InputFormat<NullWritable, OpenPart> {
    @Override
    public List<InputSplit> getSplits(JobContext job) throws IOException {
      Configuration conf = job.getConfiguration();
      DatasetFormat format = format(conf);
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
      DatasetFormat format = format(conf);
      StreamAccess stream = format.stream().orElseThrow();
      InputSpec spec = spec(format, conf);
      Path folder = SideFiles.folder(conf);
      Path work = FileOutputFormat.getWorkOutputPath(context);
      RunFolder.createWithin(folder, work, conf);
      // not on a local disk, where shards are unpacked in place
      Folder files = HadoopFolder.of(work, conf);
      Folder target =
          files instanceof LocalFolder
              ? files
              : new MeteredFolder(files, ByteMeter.of(context, DatasetCounter.BYTES_WRITTEN));
      java.nio.file.Path local = SpoolFolder.of(conf);
      ByteMeter read = read(context);
      opened.meter(read);
      List<Input> inputs = List.copyOf(opened.inputs());
      StagingPass pass = StagingPass.fromConf(conf);
      if (pass.catalogues()) {
        stream.catalogue(opened.part(), inputs, spec.format(), target, local);
      } else {
        Folder staged = HadoopFolder.of(folder, conf);
        stream.stage(
            opened.part(), inputs, spec.format(), spec.projection(), staged, target, local);
      }
      read.flush(); // Hadoop takes no progress of a reader that is being closed
      if (files instanceof LocalFolder) {
        long written = files.files().values().stream().mapToLong(Long::longValue).sum();
        context.getCounter(DatasetCounter.BYTES_WRITTEN).increment(written);
      }
      StagedParts.mark(files, opened.part(), pass);
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
