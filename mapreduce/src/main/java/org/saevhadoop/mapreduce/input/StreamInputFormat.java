package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.StreamAccess;

/**
 * Reads files that can only be read sequentially: each part of the dataset is a split, and each
 * array is a record. {@code saev.input.layers} selects layers; examples and tokens can be selected
 * only after the dataset was staged.
 */
public abstract class StreamInputFormat extends FileInputFormat<ActivationKey, ActivationWritable> {
  private final DatasetFormat format;

  /** Creates an input format for a dataset format that is a stream. */
  protected StreamInputFormat(DatasetFormat format) {
    this.format = format;
  }

  final StreamAccess stream() {
    return format.stream().orElseThrow();
  }

  final InputSpec spec(Configuration conf) {
    return InputSpec.fromConf(conf, format.readingKeys());
  }

  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException {
    Configuration conf = job.getConfiguration();
    Path path = ActivationInputFormat.onlyPath(job);
    StorageTokens.obtain(job, path);
    return new ArrayList<>(splits(stream(), path, spec(conf).format(), conf));
  }

  /** Returns a split for each part of a dataset. */
  public static List<ShardSplit> splits(
      StreamAccess stream, Path path, Settings settings, Configuration conf) throws IOException {
    Location source = new HadoopStorage(conf).locate(path);
    StorageBlocks blocks = StorageBlocks.of(path, conf);
    List<ShardSplit> splits = new ArrayList<>();
    for (StreamAccess.Part part : stream.parts(source, settings)) {
      BlockLocation[] first = blocks.locations(source.folder().path(part.files().get(0)));
      splits.add(new ShardSplit(part, first.length == 0 ? new String[0] : first[0].getHosts()));
    }
    return splits;
  }

  @Override
  public RecordReader<ActivationKey, ActivationWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new ShardRecordReader(this);
  }
}
