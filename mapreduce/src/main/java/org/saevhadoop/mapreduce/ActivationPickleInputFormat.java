package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.activations.HalfShards;
import org.saevhadoop.format.activations.ShardFile;
import org.saevhadoop.format.activations.ShardFiles;
import org.saevhadoop.format.activations.UnpackedDataset;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;

/**
 * Reads pickled activation shards. A shard is one split, as a pickle can not be cut: its records
 * are the arrays in the order of the file, each under its {@code sample_idx} as the example, of
 * whatever length. A directory of shards that were unpacked is read as other datasets are.
 */
public final class ActivationPickleInputFormat extends ActivationInputFormat {
  /**
   * Opens an unpacked dataset.
   *
   * @throws FormatException where shards are not unpacked: they have no block at a known position
   */
  @Override
  public TableDataset open(Path path, Configuration conf) throws IOException {
    FormatException.check(
        isUnpacked(path, conf),
        path.toString(),
        "holds pickled shards, which must be unpacked to be read at a position");
    return UnpackedDataset.open(
        HadoopFolder.of(path, conf), source -> HadoopFolder.of(new Path(source), conf));
  }

  private static boolean isUnpacked(Path path, Configuration conf) throws IOException {
    return path.getFileSystem(conf).exists(new Path(path, UnpackedDataset.FILE));
  }

  /** The shards at a path: a directory, or one file. */
  public static ShardFiles shards(Path path, Configuration conf) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    Path qualified = fs.makeQualified(path);
    return fs.getFileStatus(qualified).isFile()
        ? ShardFiles.ofFile(HadoopFolder.of(qualified.getParent(), conf), qualified.getName())
        : ShardFiles.of(HadoopFolder.of(qualified, conf));
  }

  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException {
    Path path = onlyPath(job);
    return isUnpacked(path, job.getConfiguration())
        ? super.getSplits(job)
        : shardSplits(path, false, job.getConfiguration());
  }

  /** A split for each shard; {@code joined} for each two halves. */
  public static List<InputSplit> shardSplits(Path path, boolean joined, Configuration conf)
      throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    ShardFiles files = shards(path, conf);
    List<InputSplit> splits = new ArrayList<>();
    if (joined) {
      for (HalfShards halves : HalfShards.of(files)) {
        long bytes = halves.first().bytes() + halves.second().bytes();
        splits.add(split(fs, splits.size(), halves.first(), halves.second().relativePath(), bytes));
      }
      return splits;
    }
    for (ShardFile shard : files.shards()) {
      splits.add(split(fs, splits.size(), shard, "", shard.bytes()));
    }
    return splits;
  }

  private static ShardSplit split(
      FileSystem fs, int number, ShardFile shard, String half, long bytes) throws IOException {
    return new ShardSplit(number, shard.relativePath(), half, bytes, hosts(fs, shard.path()));
  }

  private static String[] hosts(FileSystem fs, String shard) throws IOException {
    Path path = fs.makeQualified(new Path(shard));
    if (path.toUri().getScheme().equals("file")) {
      return new String[0];
    }
    FileStatus status = fs.getFileStatus(path);
    BlockLocation[] blocks = fs.getFileBlockLocations(status, 0, status.getLen());
    return blocks.length == 0 ? new String[0] : blocks[0].getHosts();
  }

  @Override
  public RecordReader<ActivationKey, ActivationWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return split instanceof ShardSplit
        ? new ShardRecordReader()
        : super.createRecordReader(split, context);
  }
}
