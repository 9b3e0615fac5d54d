package org.saevhadoop.mapreduce.io;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.mapreduce.conf.ConfSettings;

/**
 * The folder on the local disk in which a task keeps temporary files. On YARN, this is {@code
 * java.io.tmpdir}, which is in the container's folder; in the local runner, it is the folder that
 * the command uses.
 */
public final class SpoolFolder {
  private static final SettingKey<String> FOLDER =
      SettingKey.internal(
          "saev.local.folder",
          SettingTypes.name("PATH", "a local path"),
          null,
          "The folder for temporary files of tasks in the local runner.");

  private SpoolFolder() {}

  public static Path of(Configuration conf) {
    String folder = ConfSettings.get(conf, FOLDER);
    return Path.of(folder == null ? System.getProperty("java.io.tmpdir") : folder);
  }

  /** Sets the folder for the tasks of a job. */
  public static void set(Configuration conf, Path folder) {
    ConfSettings.set(conf, FOLDER, folder.toString());
  }
}
