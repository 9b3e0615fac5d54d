package org.saevhadoop.converters;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.saevhadoop.format.activations.ShardPromises;
import org.saevhadoop.format.activations.ShardUnpacker;
import org.saevhadoop.format.activations.UnpackedDataset;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.mapreduce.ActivationPickleInputFormat;
import org.saevhadoop.mapreduce.CountedInput;
import org.saevhadoop.mapreduce.HadoopFolder;
import org.saevhadoop.mapreduce.PickleInput;
import org.saevhadoop.mapreduce.ShardSplit;

/**
 * Unpacks pickled shards as a job: a task reads a shard, once, and leaves its blocks in a folder.
 */
final class UnpackJob {
  /** Whether tasks compute the checksums of their shards: somebody says what they are. */
  private static final String CHECKSUMS = "saev.unpack.checksums";

  private UnpackJob() {}

  /**
   * Unpacks the shards at a path and joins their samples.
   *
   * @param unpacked an empty folder, beside where the blocks will go
   */
  static UnpackedDataset run(Path source, Path unpacked, Configuration conf)
      throws IOException, InterruptedException, ClassNotFoundException {
    ShardPromises promises = ShardPromises.of(ActivationPickleInputFormat.shards(source, conf));
    promises.checkFiles();
    Configuration own = new Configuration(conf);
    own.setBoolean(CHECKSUMS, promises.haveChecksums());
    own.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    own.setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    List<InputSplit> shards = shards(source, conf);
    long bytes = 0;
    for (InputSplit shard : shards) {
      bytes += ((ShardSplit) shard).getLength();
    }
    Job job = Job.getInstance(own, "unpack " + source.getName());
    job.setJarByClass(UnpackJob.class);
    job.setInputFormatClass(Shards.class);
    FileInputFormat.setInputPaths(job, source);
    job.setMapperClass(Unpack.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(SideFiles.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    FileOutputFormat.setOutputPath(job, unpacked);
    System.err.printf(
        "unpack: %d shards, %s; each is read once, its blocks wait in %s%n",
        shards.size(), Sizes.show(bytes), Paths.show(unpacked, conf));
    JobRun.run(job, "unpack", bytes);
    UnpackedDataset.join(
        HadoopFolder.of(unpacked, conf),
        PickleInput.folder(source, conf),
        promises,
        shards.size(),
        PickleInput.options(conf));
    return (UnpackedDataset) new ActivationPickleInputFormat().open(unpacked, conf);
  }

  private static List<InputSplit> shards(Path source, Configuration conf) throws IOException {
    boolean joined = PickleInput.options(conf).joinHalves();
    return ActivationPickleInputFormat.shardSplits(source, joined, conf);
  }

  /** The shard of a split as the one record of a task. */
  static final class Shards extends InputFormat<NullWritable, CountedInput> {
    @Override
    public List<InputSplit> getSplits(JobContext job) throws IOException {
      return shards(FileInputFormat.getInputPaths(job)[0], job.getConfiguration());
    }

    @Override
    public RecordReader<NullWritable, CountedInput> createRecordReader(
        InputSplit split, TaskAttemptContext context) {
      return new OpenedShard();
    }
  }

  private static final class OpenedShard extends RecordReader<NullWritable, CountedInput> {
    private CountedInput file;
    private boolean taken;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext task) throws IOException {
      Path source = FileInputFormat.getInputPaths(task)[0];
      file = CountedInput.open(source, ((ShardSplit) split).name(), task.getConfiguration());
    }

    @Override
    public boolean nextKeyValue() {
      boolean first = !taken;
      taken = true;
      return first;
    }

    @Override
    public NullWritable getCurrentKey() {
      return NullWritable.get();
    }

    @Override
    public CountedInput getCurrentValue() {
      return file;
    }

    @Override
    public float getProgress() {
      return file == null ? 0 : file.progress();
    }

    @Override
    public void close() throws IOException {
      if (file != null) {
        file.close();
      }
    }
  }

  /** Unpacks one shard. */
  static final class Unpack extends Mapper<NullWritable, CountedInput, NullWritable, NullWritable> {
    @Override
    protected void map(NullWritable key, CountedInput shard, Context context)
        throws IOException, InterruptedException {
      ShardSplit split = (ShardSplit) context.getInputSplit();
      Configuration conf = context.getConfiguration();
      ShardUnpacker unpacker =
          new ShardUnpacker(
              split.number(),
              PickleInput.options(conf),
              HadoopFolder.of(FileOutputFormat.getWorkOutputPath(context), conf),
              java.nio.file.Path.of(System.getProperty("java.io.tmpdir")));
      if (split.half().isEmpty()) {
        unpacker.run(packed(split.name(), shard, conf), null);
        return;
      }
      Path source = FileInputFormat.getInputPaths(context)[0];
      try (Input half = CountedInput.open(source, split.half(), conf)) {
        unpacker.run(packed(split.name(), shard, conf), packed(split.half(), half, conf));
      }
    }

    private static ShardUnpacker.Packed packed(String name, Input file, Configuration conf)
        throws IOException {
      String sha256 = conf.getBoolean(CHECKSUMS, false) ? Digests.sha256(file) : null;
      return new ShardUnpacker.Packed(name, file, sha256);
    }
  }

  /** Tasks leave files of their own. */
  static final class SideFiles extends FileOutputFormat<NullWritable, NullWritable> {
    @Override
    public void checkOutputSpecs(JobContext job) {
      // the folder was made for this job: it is there, and it is empty
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
}
