package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.job.InputSpec;

/**
 * Reads a dataset that was staged from a stream. The job's configuration names the source and
 * thereby the format that staged it.
 */
public final class StagedInputFormat extends ActivationInputFormat {
  /** Creates the input format. */
  public StagedInputFormat() {
    super(List.of(), StagedInputFormat::openStaged);
  }

  private static TableDataset openStaged(Location staged, Settings settings, Configuration conf)
      throws IOException {
    return StagedFormat.of(InputSpec.fromConf(conf, List.of())).stream()
        .orElseThrow()
        .openStaged(staged.folder(), new HadoopStorage(conf));
  }
}
