package org.saevhadoop.jobs.server;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.mapreduce.conf.ConfSettings;

/**
 * Settings with which a job and its client survive the restart of a server. They are set once the
 * {@link Servers} have answered, unless the user has set them.
 */
public final class ServerRetries {
  /**
   * Whether requests to a NameNode are repeated while it restarts or is in safe mode, by default
   * for about 11 minutes (dfs.client.retry.policy.spec). A client of a service with failover would
   * retry a dead NameNode for that long before asking the next one (NameNodeProxiesClient of Hadoop
   * 3.4 passes this policy to the connection).
   */
  static final String NAMENODE = "dfs.client.retry.policy.enabled";

  /** The interval in milliseconds at which tasks report; by default 1 % of the task timeout. */
  private static final String REPORTS = "mapreduce.task.progress-report.interval";

  private static final int REPORT_MILLIS = 5000;

  /** The NameNodes of each service with failover, by the name of the service. */
  private static final String FAILOVER = "dfs.ha.namenodes.";

  /** Pairs of a sleep time in milliseconds and a number of retries. */
  private static final String NAMENODE_TIMES = "dfs.client.retry.policy.spec";

  private static final String FAILOVERS = "dfs.client.failover.max.attempts";

  private ServerRetries() {}

  /** Returns how long requests to a NameNode are repeated, and the key that defines this time. */
  static String nameNodeTimes(Configuration conf) {
    long millis = 0;
    String key;
    if (!conf.getPropsWithPrefix(FAILOVER).isEmpty()) {
      key = FAILOVERS;
      long longest = conf.getLong("dfs.client.failover.sleep.max.millis", 15_000);
      long next = conf.getLong("dfs.client.failover.sleep.base.millis", 500);
      for (int i = 0; i < conf.getInt(FAILOVERS, 15); i++) {
        millis += Math.min(next, longest);
        next = Math.min(2 * next, longest);
      }
    } else if (conf.getBoolean(NAMENODE, false)) {
      key = NAMENODE_TIMES;
      String[] times = conf.get(NAMENODE_TIMES, "10000,6,60000,10").split("\\s*,\\s*");
      for (int i = 0; i + 1 < times.length; i += 2) {
        millis += Long.parseLong(times[i].strip()) * Long.parseLong(times[i + 1].strip());
      }
    } else {
      key = "ipc.client.connect.max.retries";
      millis = conf.getLong(key, 10) * conf.getLong("ipc.client.connect.retry.interval", 1000);
    }
    return "for about %d s (%s)".formatted(TimeUnit.MILLISECONDS.toSeconds(millis), key);
  }

  /**
   * Sets defaults for keys that neither site files nor the user set.
   *
   * @param yarn whether jobs run on YARN
   */
  public static void prepare(Configuration conf, boolean yarn) {
    if (!ConfSettings.isSetByUser(conf, NAMENODE) && conf.getPropsWithPrefix(FAILOVER).isEmpty()) {
      conf.setBoolean(NAMENODE, true);
    }
    if (yarn && !ConfSettings.isSetByUser(conf, REPORTS)) {
      conf.setInt(REPORTS, REPORT_MILLIS);
    }
  }
}
