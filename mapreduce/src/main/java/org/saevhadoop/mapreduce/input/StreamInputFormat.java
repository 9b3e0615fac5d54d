package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.InputSpec;

/**
 * Reads files that can only be read sequentially: each part of the dataset is a split, and each
 * array is a record. {@code saev.input.layers} selects layers; examples and tokens can be selected
 * only after the dataset was staged.
 */
@PublicApi
public abstract class StreamInputFormat extends FileInputFormat<ActivationKey, ActivationWritable> {
  private final DatasetFormat format;

  /**
   * Creates an input format for a dataset format that is a stream.
   *
   * @hidden
   */
  @Internal
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

  /**
   * Returns a split for each part of a dataset.
   *
   * @param conf the configuration of the job
   * @hidden
   */
  @Internal
  public static List<ShardSplit> splits(
      StreamAccess stream, Path path, Settings settings, Configuration conf) throws IOException {
    Location source = new HadoopStorage(conf).locate(path);
    StorageBlocks blocks = StorageBlocks.of(conf);
    List<StreamAccess.Part> parts = stream.parts(source, settings);
    List<String[]> hosts = new ArrayList<>(Collections.nCopies(parts.size(), new String[0]));
    List<String> files =
        parts.stream().map(part -> source.folder().path(part.files().get(0))).toList();
    if (!parts.isEmpty() && blocks.areLocated(files.get(0), parts.size())) {
      locate(files, blocks, hosts);
    }
    List<ShardSplit> splits = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      splits.add(new ShardSplit(parts.get(i), hosts.get(i)));
    }
    SplitMetadata.permit(splits, conf);
    return splits;
  }

  /** Sets the hosts that store the beginning of each file. */
  private static void locate(List<String> files, StorageBlocks blocks, List<String[]> hosts)
      throws IOException {
    Map<String, String> names = new ConcurrentHashMap<>(); // responses contain copies of names
    List<Callable<Void>> requests = new ArrayList<>(files.size());
    for (int i = 0; i < files.size(); i++) {
      int index = i;
      requests.add(
          () -> {
            for (BlockLocation first : blocks.locations(files.get(index), 0, 1)) {
              hosts.set(
                  index,
                  Arrays.stream(first.getHosts())
                      .map(host -> names.computeIfAbsent(host, name -> name))
                      .toArray(String[]::new));
            }
            return null;
          });
    }
    try (ParallelRequests threads = new ParallelRequests()) {
      threads.run(requests);
    }
  }

  @Override
  public RecordReader<ActivationKey, ActivationWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new ShardRecordReader(this);
  }
}
