package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobInput;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.JobTasks;
import org.saevhadoop.jobs.run.TaskResults;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.DigestKeys;
import org.saevhadoop.mapreduce.job.JobName;

/** Computes the SHA-256 of each file of a dataset in a map-only job, which reads each file once. */
public final class FileSums {
  /** Smaller files are read by one task. */
  private static final long SPLIT_BYTES = 128L << 20;

  private static final int READ_BYTES = 1 << 20;

  private FileSums() {}

  /**
   * Runs the job and returns the sums in hexadecimal, by name.
   *
   * @param path the folder or the file
   */
  public static SortedMap<String, String> of(Path path, JobRunner runner)
      throws IOException, InterruptedException {
    Path dataset = path.getFileSystem(runner.conf()).makeQualified(path);
    Location location = new HadoopStorage(runner.conf()).locate(dataset);
    return runner.run(
        new DatasetJob<>(
            "sums",
            JobName.of("sums", dataset),
            dataset,
            List.of(new JobInput(SummedFiles.class, null)),
            Settings.NONE.with(DigestKeys.SUMMED, dataset.toString()),
            DatasetFiles.of(location).values().stream().mapToLong(Long::longValue).sum(),
            JobTasks.mapOnly(SumFile.class),
            new TaskResults<>(Text.class, BytesWritable.class, FileSums::sums),
            null));
  }

  private static SortedMap<String, String> sums(List<Map.Entry<Text, BytesWritable>> pairs) {
    SortedMap<String, String> sums = new TreeMap<>();
    for (Map.Entry<Text, BytesWritable> pair : pairs) {
      sums.put(pair.getKey().toString(), HexFormat.of().formatHex(pair.getValue().copyBytes()));
    }
    return sums;
  }

  private static Location location(Configuration conf) throws IOException {
    return new HadoopStorage(conf).locate(ConfSettings.get(conf, DigestKeys.SUMMED));
  }

  private static SortedMap<String, Long> files(Configuration conf) throws IOException {
    return DatasetFiles.of(location(conf));
  }

  /** Returns the names of files as records. */
  static final class SummedFiles extends InputFormat<Text, NullWritable> {
    @Override
    public List<InputSplit> getSplits(JobContext context) throws IOException {
      Configuration conf = context.getConfiguration();
      String folder = location(conf).folder().path();
      StorageTokens.obtain(context, new Path(folder));
      List<InputSplit> splits = new ArrayList<>();
      FilesSplit split = null;
      for (Map.Entry<String, Long> file : files(conf).entrySet()) {
        if (split == null || split.getLength() + file.getValue() > SPLIT_BYTES) {
          split = new FilesSplit(hosts(new Path(folder), file.getKey(), conf));
          splits.add(split);
        }
        split.add(file.getKey(), file.getValue());
      }
      return splits;
    }

    private static String[] hosts(Path folder, String name, Configuration conf) throws IOException {
      FileSystem fs = folder.getFileSystem(conf);
      if (HadoopFolder.isLocal(fs)) {
        return new String[0];
      }
      BlockLocation[] first = fs.getFileBlockLocations(PathArgument.child(folder, name), 0, 1);
      return first == null || first.length == 0 ? new String[0] : first[0].getHosts();
    }

    @Override
    public RecordReader<Text, NullWritable> createRecordReader(
        InputSplit split, TaskAttemptContext context) {
      return new FileNames();
    }
  }

  /** The names of the files of a split. */
  private static final class FileNames extends RecordReader<Text, NullWritable> {
    private final Text name = new Text();
    private List<String> names = List.of();
    private int next;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {
      names = ((FilesSplit) split).names();
    }

    @Override
    public boolean nextKeyValue() {
      if (next == names.size()) {
        return false;
      }
      name.set(names.get(next++));
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
      return names.isEmpty() ? 1 : (float) next / names.size();
    }

    @Override
    public void close() {
      // the mapper opens and closes the files
    }
  }

  /** Maps the name of a file to its sum. */
  static final class SumFile extends Mapper<Text, NullWritable, Text, BytesWritable> {
    private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
    private Location dataset;

    @Override
    protected void setup(Context context) throws IOException {
      dataset = location(context.getConfiguration());
    }

    @Override
    protected void map(Text name, NullWritable none, Context context)
        throws IOException, InterruptedException {
      MessageDigest sha256 = BlockDigests.sha256();
      try (Input in = dataset.folder().open(name.toString())) {
        long length = in.length();
        ByteMeter meter = ByteMeter.of(context, DatasetCounter.BYTES_READ);
        for (long at = 0; at < length; at += buffer.limit()) {
          buffer.clear().limit((int) Math.min(buffer.capacity(), length - at));
          in.readFully(at, buffer);
          sha256.update(buffer.flip());
          meter.add(buffer.limit());
        }
        meter.flush();
      }
      context.write(name, new BytesWritable(sha256.digest()));
    }
  }
}
