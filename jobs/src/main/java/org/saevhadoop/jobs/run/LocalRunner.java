package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.NioLocalFileSystem;
import org.saevhadoop.mapreduce.io.SpoolFolder;

/** Settings for the Hadoop runner that runs jobs in this process. */
final class LocalRunner {
  static final long POLL_MILLIS = 20;

  /** The number of concurrent map tasks. */
  static final String MAP_TASKS = "mapreduce.local.map.tasks.maximum";

  static final String BLOCK_SIZE = "fs.local.block.size";
  static final long BLOCK_BYTES = 128L << 20;

  /** The keys of the folders in which the local runner keeps job files. */
  private static final List<String> LOCAL_FOLDERS =
      List.of(
          "mapreduce.jobtracker.staging.root.dir",
          "mapreduce.jobtracker.system.dir",
          "mapreduce.cluster.local.dir",
          "mapreduce.cluster.temp.dir");

  private static final String RENEWER = "yarn.resourcemanager.principal";

  private LocalRunner() {}

  /**
   * Sets defaults with which jobs use the resources of the machine: as many concurrent tasks as
   * there are cores, buffers that together fit in the heap, a client that does not sleep for five
   * seconds, and a local file system that starts no processes.
   */
  static void prepare(Configuration conf) throws IOException {
    int cores = Runtime.getRuntime().availableProcessors();
    long heapMiB = Runtime.getRuntime().maxMemory() >> 20;
    setDefault(conf, MAP_TASKS, cores);
    setDefault(conf, "mapreduce.local.reduce.tasks.maximum", cores);
    setDefault(conf, "mapreduce.client.completion.pollinterval", POLL_MILLIS);
    setDefault(conf, "mapreduce.client.progressmonitor.pollinterval", POLL_MILLIS);
    setDefault(conf, "mapreduce.task.progress-report.interval", 500);
    setDefault(conf, "mapreduce.task.io.sort.mb", Math.max(4, Math.min(100, heapMiB / 8 / cores)));
    setDefault(conf, "mapreduce.reduce.memory.totalbytes", (heapMiB << 20) / 4 / cores);
    setDefault(conf, BLOCK_SIZE, BLOCK_BYTES);
    NioLocalFileSystem.install(conf);
  }

  /** Returns the number of concurrent map tasks. */
  static int mapTasks(Configuration conf) {
    int asked = conf.getInt(MAP_TASKS, 1);
    if (asked < 1) {
      throw new SettingException("%s is %d (expected 1 or more)".formatted(MAP_TASKS, asked));
    }
    return asked;
  }

  private static void setDefault(Configuration conf, String key, long value) {
    if (!ConfSettings.isSetByUser(conf, key)) {
      conf.setLong(key, value);
    }
  }

  /**
   * Prepares a job. The files of the job are kept in the folder of the command, because by default,
   * the runner uses one folder for all users of a machine. The user of the job renews the
   * delegation tokens, unless a renewer is configured: no ResourceManager is involved, and without
   * a renewer, Hadoop does not submit jobs on a secured cluster.
   */
  static void prepareJob(Path folder, Configuration conf) throws IOException {
    SpoolFolder.set(conf, folder);
    for (String key : LOCAL_FOLDERS) {
      if (!ConfSettings.isSetByUser(conf, key)) {
        conf.set(key, folder.resolve(key).toString());
      }
    }
    if (UserGroupInformation.isSecurityEnabled() && conf.get(RENEWER) == null) {
      conf.set(RENEWER, UserGroupInformation.getCurrentUser().getUserName());
    }
  }
}
