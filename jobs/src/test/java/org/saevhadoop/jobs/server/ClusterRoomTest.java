package org.saevhadoop.jobs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.jupiter.api.Test;

class ClusterRoomTest {
  private final Configuration conf = new Configuration();

  @Test
  void eachNodeHasRoomForWhatItsMemoryAndItsCoresAllow() {
    conf.setInt(MRJobConfig.MAP_MEMORY_MB, 1000);
    conf.setInt(MRJobConfig.MAP_CPU_VCORES, 2);
    // 4 by memory and 3 by cores; 1 by memory and 8 by cores
    assertThat(ClusterRoom.mapTasks(conf, List.of(node(4999, 7), node(1000, 16)))).isEqualTo(4);
  }

  @Test
  void withoutAKeyATaskNeedsTheMemoryThatFollowsFromItsHeap() {
    conf.set(MRJobConfig.MAP_JAVA_OPTS, "-Xmx4096m"); // 80 % of the container
    assertThat(ClusterRoom.mapTasks(conf, List.of(node(10_240, 100)))).isEqualTo(2);
  }

  @Test
  void withoutAnyKeyATaskNeedsAGibibyte() {
    assertThat(ClusterRoom.mapTasks(conf, List.of(node(8192, 100)))).isEqualTo(8);
  }

  @Test
  void aClusterWithoutRoomIsPlannedForOneTask() {
    assertThat(ClusterRoom.mapTasks(conf, List.of())).isEqualTo(1);
    assertThat(ClusterRoom.mapTasks(conf, List.of(node(100, 1)))).isEqualTo(1);
  }

  private static NodeReport node(long memory, int cores) {
    return NodeReport.newInstance(
        null, NodeState.RUNNING, null, null, null, Resource.newInstance(memory, cores), 0, "", 0);
  }
}
