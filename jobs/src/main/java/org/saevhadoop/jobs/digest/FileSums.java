package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.CombineFileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.task.JobInput;
import org.saevhadoop.jobs.task.TaskMapper;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.input.DatasetInputFormat;
import org.saevhadoop.mapreduce.input.StoredBlocks;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.DigestKeys;
import org.saevhadoop.mapreduce.job.InputSpec;

/** Computes the SHA-256 of each file of a dataset in a map-only job, which reads each file once. */
public final class FileSums {
  /** Smaller files are read by one task. */
  private static final long SPLIT_BYTES = 128L << 20;

  private FileSums() {}

  /**
   * Runs the job and returns the sums in hexadecimal, by name.
   *
   * @param path the folder or the file
   */
  public static SortedMap<String, String> of(StoragePath path, JobRunner runner)
      throws IOException, InterruptedException {
    return runner.run(sums(path, runner)).files();
  }

  /** Returns the job that {@link #of} runs. */
  public static DatasetJob<?> job(StoragePath path, JobRunner runner) throws IOException {
    return sums(path, runner);
  }

  private static DatasetJob<DigestParts.Sums> sums(StoragePath path, JobRunner runner)
      throws IOException {
    return job("sums", path, null, Settings.NONE, 0, runner);
  }

  /**
   * Returns a job that also digests the blocks of each file, from the same read.
   *
   * @param columns the ids of the columns in the order of the digest
   * @param blocks the number of blocks in the dataset
   */
  static DatasetJob<DigestParts.Sums> withBlocks(
      OpenedSource source, InputSpec input, List<Integer> columns, long blocks, JobRunner runner)
      throws IOException {
    Settings settings =
        Settings.NONE.with(DigestKeys.LAYERS, columns).with(DigestKeys.BLOCKS, true);
    return job("digest", source.request().source(), input, settings, blocks, runner);
  }

  private static DatasetJob<DigestParts.Sums> job(
      String step,
      StoragePath path,
      @Nullable InputSpec spec,
      Settings settings,
      long blocks,
      JobRunner runner)
      throws IOException {
    Location location = path.locate();
    return DatasetJob.step(step, path)
        .reading(new JobInput(() -> SummedFiles.class, spec, null))
        .with(settings.with(DigestKeys.SUMMED, path.qualified()))
        .bytes(files(location).values().stream().mapToLong(Long::longValue).sum())
        .map(SumFile.class)
        .collect(new DigestParts(blocks));
  }

  /** Returns the lengths of all files of the folder, or of the one file and its sidecar. */
  private static SortedMap<String, Long> files(Location dataset) throws IOException {
    SortedMap<String, Long> lengths = new TreeMap<>(dataset.files());
    if (dataset.isFile()) {
      String sidecar = Sidecar.name(dataset.file());
      Long length = dataset.folder().files().get(sidecar);
      if (length != null) {
        lengths.put(sidecar, length);
      }
    }
    return lengths;
  }

  private static Location location(Configuration conf) throws IOException {
    return new HadoopStorage(conf).locate(ConfSettings.get(conf, DigestKeys.SUMMED));
  }

  /** Returns the names of files as records; files are not split. */
  static final class SummedFiles extends CombineFileInputFormat<Text, NullWritable> {
    SummedFiles() {
      setMaxSplitSize(SPLIT_BYTES);
    }

    @Override
    protected List<FileStatus> listStatus(JobContext job) throws IOException {
      Location dataset = location(job.getConfiguration());
      Path folder = new Path(dataset.folder().path());
      StorageTokens.obtain(job, folder);
      List<FileStatus> files = new ArrayList<>();
      files(dataset)
          .forEach(
              (name, length) ->
                  files.add(
                      new FileStatus(length, false, 1, 0, 0, PathArgument.child(folder, name))));
      return files;
    }

    @Override
    protected boolean isSplitable(JobContext job, Path file) {
      return false;
    }

    @Override
    public RecordReader<Text, NullWritable> createRecordReader(
        InputSplit split, TaskAttemptContext context) {
      return new FileNames();
    }
  }

  /** The names of the files of a split, relative to the folder of the dataset. */
  private static final class FileNames extends RecordReader<Text, NullWritable> {
    private final Text name = new Text();
    private Path[] files = {};
    private int folder;
    private int next;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
      files = ((CombineFileSplit) split).getPaths();
      Path root = new Path(location(context.getConfiguration()).folder().path());
      folder = root.toUri().getPath().length() + 1;
    }

    @Override
    public boolean nextKeyValue() {
      if (next == files.length) {
        return false;
      }
      name.set(files[next++].toUri().getPath().substring(folder));
      return true;
    }

    @Override
    public Text getCurrentKey() {
      return name;
    }

    @Override
    public NullWritable getCurrentValue() {
      return NullWritable.get();
    }

    @Override
    public float getProgress() {
      return (float) next / files.length;
    }

    @Override
    public void close() {
      // the mapper opens and closes the files
    }
  }

  /** Maps the name of a file to its sum and, if they are digested, its blocks. */
  static final class SumFile extends Mapper<Text, NullWritable, LongWritable, BytesWritable> {
    private HashedFolder folder;
    private @Nullable StoredBlocks blocks;
    private @Nullable BlockDigests digests;

    @Override
    protected void setup(Context context) throws IOException {
      Configuration conf = context.getConfiguration();
      ByteMeter meter = ByteMeter.of(context, DatasetCounter.BYTES_READ);
      folder = new HashedFolder(location(conf).folder(), meter);
      if (ConfSettings.get(conf, DigestKeys.BLOCKS)) {
        blocks = new StoredBlocks(new DatasetInputFormat(), context, stored -> folder);
        digests = new BlockDigests(ConfSettings.get(conf, DigestKeys.LAYERS));
      }
    }

    @Override
    protected void map(Text text, NullWritable none, Context context)
        throws IOException, InterruptedException {
      String name = text.toString();
      TaskOutput output = TaskMapper.output(context);
      byte[] sum = folder.sha256(name, () -> digestBlocks(name, output));
      output.write(DigestParts.FILE, DigestParts.file(name, sum));
    }

    private void digestBlocks(String name, TaskOutput output)
        throws IOException, InterruptedException {
      if (blocks != null && digests != null) {
        for (int shard : blocks.shards(name)) {
          digests.begin(blocks.shard(shard).first(), blocks.shard(shard).examples());
          blocks.read(shard, digests::add);
          digests.write(output);
        }
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException {
      if (blocks != null) {
        blocks.count(context);
      }
    }
  }
}
