package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
import org.saevhadoop.jobs.task.TaskMapper;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.input.DatasetInputFormat;
import org.saevhadoop.mapreduce.input.StoredBlocks;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.DigestKeys;

/** The names of files as records of Hadoop's tasks; files are not split. */
final class SummedFiles extends CombineFileInputFormat<Text, NullWritable> {
  SummedFiles() {
    setMaxSplitSize(FileSums.SPLIT_BYTES);
  }

  @Override
  protected List<FileStatus> listStatus(JobContext job) throws IOException {
    Location dataset = location(job.getConfiguration());
    Path folder = new Path(dataset.folder().path());
    StorageTokens.obtain(job, folder);
    List<FileStatus> files = new ArrayList<>();
    FileSums.files(dataset)
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

  private static Location location(Configuration conf) throws IOException {
    return new HadoopStorage(conf).locate(ConfSettings.get(conf, DigestKeys.SUMMED));
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

  /**
   * Maps the name of a file to its sum and, if blocks are digested, to the digests of its blocks.
   */
  static final class SumFile extends Mapper<Text, NullWritable, LongWritable, BytesWritable> {
    private HashedFiles files;
    private @Nullable StoredBlocks blocks;

    @Override
    protected void setup(Context context) throws IOException {
      Configuration conf = context.getConfiguration();
      blocks =
          ConfSettings.get(conf, DigestKeys.BLOCKS)
              ? StoredBlocks.of(new DatasetInputFormat(), conf)
              : null;
      files =
          HashedFiles.of(
              location(conf).folder(),
              ByteMeter.of(context, DatasetCounter.BYTES_READ),
              blocks,
              ConfSettings.get(conf, DigestKeys.LAYERS));
    }

    @Override
    protected void map(Text name, NullWritable none, Context context)
        throws IOException, InterruptedException {
      files.read(name.toString(), TaskMapper.output(context));
    }

    @Override
    protected void cleanup(Context context) {
      if (blocks != null) {
        blocks.count(context);
      }
    }
  }
}
