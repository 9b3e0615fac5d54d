package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.pickleshards.PickleFormat;
import org.saevhadoop.format.pickleshards.PickleKeys;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.input.StreamInputFormat;

/**
 * Reads pickled activation shards. A pickle cannot be divided, so each shard is one split;
 * consecutive small shards of a directory share a split. Each array is a record, in file order; the
 * example number of its key is the {@code sample_idx}, and its value may have any length.
 */
@PublicApi
public final class ActivationPickleInputFormat extends StreamInputFormat {
  /** Creates the input format. */
  public ActivationPickleInputFormat() {
    super(new PickleFormat());
  }

  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException {
    if (ConfSettings.get(job.getConfiguration(), PickleKeys.JOIN_HALVES)) {
      throw new SettingException(
          PickleKeys.JOIN_HALVES.name()
              + " is true (expected false, because each array is a record; convert joins halves)");
    }
    return super.getSplits(job);
  }
}
