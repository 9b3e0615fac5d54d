package org.saevhadoop.converters.job;

import org.apache.hadoop.conf.Configuration;

/**
 * Settings with which a job and its client survive a server that restarts. They apply after the
 * {@link FirstContact}, and unless the user has set them.
 */
final class ServerRetries {
  /**
   * Whether requests to a single NameNode are repeated while it restarts or is in safe mode, by
   * default for about 11 minutes (dfs.client.retry.policy.spec). Services with failover repeat them
   * regardless.
   */
  static final String NAMENODE = "dfs.client.retry.policy.enabled";

  /** The interval in milliseconds at which tasks report; by default 1 % of the task timeout. */
  private static final String REPORTS = "mapreduce.task.progress-report.interval";

  private static final int REPORT_MILLIS = 5000;

  private ServerRetries() {}

  static void prepare(Configuration conf) {
    if (!JobRun.isSet(conf, NAMENODE)) {
      conf.setBoolean(NAMENODE, true);
    }
    if (!JobRun.isLocal(conf) && !JobRun.isSet(conf, REPORTS)) {
      conf.setInt(REPORTS, REPORT_MILLIS);
    }
  }
}
