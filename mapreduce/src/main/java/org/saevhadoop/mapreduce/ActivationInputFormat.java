package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.Selection;

/**
 * Reads one dataset, the job's one input path. Splits are ranges of examples of about a storage
 * block, within {@code mapreduce.input.fileinputformat.split.minsize} and {@code .maxsize}.
 */
public abstract class ActivationInputFormat
    extends FileInputFormat<ActivationKey, ActivationWritable> {
  /** Opens the dataset at a path. */
  public abstract TableDataset open(Path path, Configuration conf) throws IOException;

  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException {
    Configuration conf = job.getConfiguration();
    Path path = onlyPath(job);
    TableDataset dataset = open(path, conf);
    Selection selection = InputSelection.of(conf, dataset);
    long readBytes = Math.max(1, selection.exampleBytes(dataset.table()));
    FileSystem fs = path.getFileSystem(conf);
    long goal =
        Math.max(
            Math.max(getFormatMinSplitSize(), getMinSplitSize(job)),
            Math.min(getMaxSplitSize(job), blockSize(fs, path, dataset)));
    SplitPlanner planner = new SplitPlanner(readBytes, goal, selection.group());
    SplitHosts hosts =
        new SplitHosts(
            dataset, shard -> locations(fs, new Path(dataset.folder().path(shard.name()))));
    List<InputSplit> splits = new ArrayList<>();
    for (SplitPlanner.Range range : planner.plan(limited(dataset.shards(), conf))) {
      splits.add(
          new ExampleSplit(
              range.first(), range.count(), range.count() * readBytes, hosts.of(range)));
    }
    return splits;
  }

  @Override
  public RecordReader<ActivationKey, ActivationWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new ActivationRecordReader(this);
  }

  /** The shards of the examples that are read. */
  private static List<Shard> limited(List<Shard> shards, Configuration conf) {
    long limit = SaevConf.INPUT_LIMIT.getLong(conf, -1);
    if (limit < 0) {
      return shards;
    }
    return shards.stream()
        .filter(shard -> shard.first() < limit)
        .map(
            shard ->
                new Shard(
                    shard.name(),
                    shard.first(),
                    Math.min(shard.examples(), limit - shard.first()),
                    shard.bytes()))
        .toList();
  }

  /** The job's input path. */
  static Path onlyPath(JobContext job) throws IOException {
    Path[] paths = getInputPaths(job);
    if (paths.length != 1) {
      throw new FormatException(
          Arrays.toString(paths), "a job reads one dataset (expected one input path)");
    }
    return paths[0];
  }

  private static long blockSize(FileSystem fs, Path path, TableDataset dataset) throws IOException {
    if (dataset.shards().isEmpty()) {
      return fs.getDefaultBlockSize(path);
    }
    Path first = new Path(dataset.folder().path(dataset.shards().get(0).name()));
    return Math.max(1, fs.getFileStatus(fs.makeQualified(first)).getBlockSize());
  }

  private static BlockLocation[] locations(FileSystem fs, Path file) throws IOException {
    Path qualified = fs.makeQualified(file);
    // a local disk and an object store have blocks only in name
    if (qualified.toUri().getScheme().equals("file")
        || fs.hasPathCapability(qualified, "fs.capability.virtual.block.locations")) {
      return new BlockLocation[0];
    }
    FileStatus status = fs.getFileStatus(qualified);
    return fs.getFileBlockLocations(status, 0, status.getLen());
  }
}
