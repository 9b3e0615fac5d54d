package org.saevhadoop.converters.job;

import org.apache.hadoop.conf.Configuration;

/**
 * Settings with which a job and its client survive a server that restarts. They apply after the
 * {@link FirstContact}, and unless the user has set them.
 */
final class ServerRetries {
  /**
   * Whether requests to a NameNode are repeated while it restarts or is in safe mode, by default
   * for about 11 minutes (dfs.client.retry.policy.spec). A client of a service with failover would
   * repeat its connections to a dead NameNode for that long before it asked the next one
   * (NameNodeProxiesClient of Hadoop 3.4 passes this policy to the connection).
   */
  static final String NAMENODE = "dfs.client.retry.policy.enabled";

  /** The interval in milliseconds at which tasks report; by default 1 % of the task timeout. */
  private static final String REPORTS = "mapreduce.task.progress-report.interval";

  private static final int REPORT_MILLIS = 5000;

  /** The NameNodes of each service with failover, by the name of the service. */
  private static final String FAILOVER = "dfs.ha.namenodes.";

  private ServerRetries() {}

  static void prepare(Configuration conf) {
    if (!JobRun.isSet(conf, NAMENODE) && conf.getPropsWithPrefix(FAILOVER).isEmpty()) {
      conf.setBoolean(NAMENODE, true);
    }
    if (!JobRun.isLocal(conf) && !JobRun.isSet(conf, REPORTS)) {
      conf.setInt(REPORTS, REPORT_MILLIS);
    }
  }
}
