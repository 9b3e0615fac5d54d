package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.OutputKeys;

/** Delegation tokens for all storage that a job's tasks and committer access in order to write. */
public final class OutputTokens {
  private static final List<SettingKey<String>> PATHS =
      List.of(OutputKeys.PUBLISH, OutputKeys.LABELS, OutputKeys.SAMPLE_METADATA, OutputKeys.IDS);

  private OutputTokens() {}

  /**
   * Obtains tokens for a folder, for the path at which the dataset is published, and for the
   * datasets whose labels, sample metadata or ids are written.
   */
  public static void obtain(JobContext job, Path folder) throws IOException {
    Configuration conf = job.getConfiguration();
    List<Path> paths = new ArrayList<>(List.of(folder));
    for (SettingKey<String> key : PATHS) {
      String path = ConfSettings.get(conf, key);
      if (path != null) {
        paths.add(PathArgument.parse(path, conf));
      }
    }
    StorageTokens.obtain(job, paths.toArray(new Path[0]));
  }
}
