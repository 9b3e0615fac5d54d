package org.saevhadoop.jobs.server;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** The number of map tasks that a YARN cluster can run at once. */
public final class ClusterRoom {
  private ClusterRoom() {}

  /**
   * Returns the number of map tasks for which the running nodes have memory and cores, regardless
   * of other applications; at least 1.
   *
   * @param conf the configuration of the cluster, with the memory and the cores of a task
   */
  public static long mapTasks(Configuration conf) throws IOException {
    try {
      return mapTasks(
          conf, YarnApplications.ask(conf, yarn -> yarn.getNodeReports(NodeState.RUNNING)));
    } catch (YarnException e) {
      throw new IOException("the nodes of the cluster are unknown: " + e.getMessage(), e);
    }
  }

  static long mapTasks(Configuration conf, List<NodeReport> nodes) {
    // without a key for the memory of a task, it follows from its heap, as the job will request it
    long memory = new JobConf(conf).getMemoryRequired(TaskType.MAP);
    long cores = conf.getInt(MRJobConfig.MAP_CPU_VCORES, MRJobConfig.DEFAULT_MAP_CPU_VCORES);
    long tasks = 0;
    for (NodeReport node : nodes) {
      Resource room = node.getCapability();
      tasks +=
          Math.min(
              room.getMemorySize() / Math.max(1, memory),
              room.getVirtualCores() / Math.max(1, cores));
    }
    return Math.max(1, tasks);
  }
}
