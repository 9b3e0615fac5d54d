package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.shuffle.ShuffledDataset;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.input.DatasetInputFormat;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.StorageTokens;

/**
 * Reads a dataset that was staged from a stream, or shuffled. The job's configuration names the
 * source and thereby the format that staged it.
 */
public final class StagedInputFormat extends ActivationInputFormat {
  /** Creates the input format. */
  public StagedInputFormat() {
    super(List.of(), (staged, settings, conf) -> openStaged(staged, new HadoopStorage(conf), conf));
  }

  private static TableDataset openStaged(Location staged, Storage storage, Configuration conf)
      throws IOException {
    if (ShuffledDataset.existsAt(staged)) {
      return ShuffledDataset.open(staged);
    }
    return format(conf).stream()
        .orElseThrow()
        .openStaged(StagedFolder.of(staged.folder()), storage, DatasetFormats.registry());
  }

  /** Returns the format of the source that a staging job's configuration names. */
  static DatasetFormat format(Configuration conf) {
    return DatasetInputFormat.format(DatasetInputFormat.source(conf), conf);
  }

  private static boolean isStream(JobContext job) throws IOException {
    Configuration conf = job.getConfiguration();
    return format(conf).stream().isPresent()
        && !ShuffledDataset.existsAt(new HadoopStorage(conf).locate(onlyPath(job)));
  }

  /** {@inheritDoc} Blocks that were not staged are read from the source, on its own storage. */
  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException {
    if (UserGroupInformation.isSecurityEnabled() && isStream(job)) {
      Configuration conf = job.getConfiguration();
      HadoopStorage storage = new HadoopStorage(conf);
      Storage withTokens =
          path -> {
            StorageTokens.obtain(job, PathArgument.parse(path, conf));
            return storage.locate(path);
          };
      openStaged(storage.locate(onlyPath(job)), withTokens, conf);
    }
    return super.getSplits(job);
  }
}
