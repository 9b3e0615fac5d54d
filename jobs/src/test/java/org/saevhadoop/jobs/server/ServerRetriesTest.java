package org.saevhadoop.jobs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;

/** Settings with which jobs survive servers that restart. */
class ServerRetriesTest {
  private static final String REPORTS = "mapreduce.task.progress-report.interval";

  @Test
  void requestsToTheNameNodeAreRepeatedUnlessTheUserDecides() throws IOException {
    Configuration conf = new Configuration();
    JobRunner.open(conf, RunListener.NONE, DatasetFormats.registry());
    assertThat(conf.getBoolean("dfs.client.retry.policy.enabled", false)).isTrue();
    Configuration own = new Configuration();
    own.setBoolean("dfs.client.retry.policy.enabled", false);
    JobRunner.open(own, RunListener.NONE, DatasetFormats.registry());
    assertThat(own.getBoolean("dfs.client.retry.policy.enabled", true)).isFalse();
  }

  @Test
  void aServiceWithFailoverDoesNotWaitForItsFirstNameNode() throws IOException {
    Configuration conf = new Configuration();
    conf.set("dfs.nameservices", "acts");
    conf.set("dfs.ha.namenodes.acts", "nn1,nn2");
    JobRunner.open(conf, RunListener.NONE, DatasetFormats.registry());
    assertThat(conf.getBoolean("dfs.client.retry.policy.enabled", false)).isFalse();
  }

  @Test
  void tasksOnYarnReportWithinTenSecondsUnlessTheUserDecides() throws IOException {
    Configuration yarn = new Configuration();
    yarn.set("mapreduce.framework.name", "yarn");
    yarn.set("mapreduce.task.timeout", "3600000");
    Configuration own = new Configuration(yarn);
    own.setInt(REPORTS, 30_000);
    JobRunner.open(yarn, RunListener.NONE, DatasetFormats.registry());
    JobRunner.open(own, RunListener.NONE, DatasetFormats.registry());
    assertThat(yarn.getInt(REPORTS, 0)).isBetween(1000, 9999);
    assertThat(own.getInt(REPORTS, 0)).isEqualTo(30_000);
  }

  @Test
  void theTimeForWhichRequestsAreRepeatedIsThatOfTheKeyThatApplies() throws IOException {
    Configuration conf = new Configuration();
    JobRunner.open(conf, RunListener.NONE, DatasetFormats.registry());
    assertThat(ServerRetries.nameNodeTimes(conf))
        .isEqualTo("for about 660 s (dfs.client.retry.policy.spec)");
    conf.set("dfs.client.retry.policy.spec", "2000, 5");
    assertThat(ServerRetries.nameNodeTimes(conf)).startsWith("for about 10 s ");
    conf.setBoolean("dfs.client.retry.policy.enabled", false);
    conf.setInt("ipc.client.connect.max.retries", 4);
    assertThat(ServerRetries.nameNodeTimes(conf))
        .isEqualTo("for about 4 s (ipc.client.connect.max.retries)");
    conf.set("dfs.ha.namenodes.acts", "nn1,nn2");
    conf.setInt("dfs.client.failover.max.attempts", 7);
    conf.setInt("dfs.client.failover.sleep.max.millis", 10_000);
    assertThat(ServerRetries.nameNodeTimes(conf)) // 0.5 1 2 4 8 10 10
        .isEqualTo("for about 35 s (dfs.client.failover.max.attempts)");
  }
}
