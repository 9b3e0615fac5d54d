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
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.CombineFileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobInput;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.TaskResults;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
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
            files(location).values().stream().mapToLong(Long::longValue).sum(),
            tasks -> {
              tasks.setMapperClass(SumFile.class);
              tasks.setNumReduceTasks(0);
            },
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
      MessageDigest sha256 = Sha256.digest();
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
