package org.saevhadoop.mapreduce;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.safetensors.SafetensorsDataset;

/** Reads activations in safetensors files: a directory with a manifest or without, or one file. */
public final class SafetensorsInputFormat extends ActivationInputFormat {
  @Override
  public ActivationDataset open(Path path, Configuration conf) throws IOException {
    return path.getFileSystem(conf).getFileStatus(path).isFile()
        ? SafetensorsDataset.openFile(HadoopFolder.of(path.getParent(), conf), path.getName())
        : SafetensorsDataset.open(HadoopFolder.of(path, conf));
  }
}
