package org.saevhadoop.mapreduce;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.saev.SaevDataset;

/** Reads a directory of SAEV shards, {@code .../<hash>}. */
public final class SaevInputFormat extends ActivationInputFormat {
  @Override
  public ActivationDataset open(Path path, Configuration conf) throws IOException {
    return SaevDataset.open(HadoopFolder.of(path, conf));
  }
}
