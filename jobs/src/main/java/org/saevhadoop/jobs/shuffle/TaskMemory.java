package org.saevhadoop.jobs.shuffle;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskType;

/**
 * The memory that a map task may use for rows: half of what its JVM may allocate.
 *
 * @param local whether tasks are threads of this process
 */
record TaskMemory(Configuration conf, boolean local) {
  private static final long MAX_BYTES = 1 << 30;
  private static final String LOCAL_TASKS = "mapreduce.local.map.tasks.maximum";

  long bytes() {
    return Math.max(1, Math.min(MAX_BYTES, (local ? ofThread() : ofContainer()) / 2));
  }

  private long ofThread() {
    return Runtime.getRuntime().maxMemory() / Math.max(1, conf.getInt(LOCAL_TASKS, 1));
  }

  private long ofContainer() {
    JobConf job = new JobConf(conf);
    long heap = JobConf.parseMaximumHeapSizeMB(job.getTaskJavaOpts(TaskType.MAP));
    return heap << 20;
  }
}
