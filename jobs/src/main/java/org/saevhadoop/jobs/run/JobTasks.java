package org.saevhadoop.jobs.run;

import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a job.
 *
 * @param mapper maps records
 * @param key the class of the keys between mapper and reducer; null without reducers
 * @param value the class of the values between mapper and reducer; null without reducers
 * @param combiner reduces the output of one map task; null for none
 * @param partitioner distributes keys over reducers; null for Hadoop's default
 * @param reducer reduces the values of a key; null without reducers
 * @param reduces the number of reduce tasks
 */
public record JobTasks(
    Class<? extends Mapper<?, ?, ?, ?>> mapper,
    @Nullable Class<?> key,
    @Nullable Class<?> value,
    @Nullable Class<? extends Reducer<?, ?, ?, ?>> combiner,
    @Nullable Class<? extends Partitioner<?, ?>> partitioner,
    @Nullable Class<? extends Reducer<?, ?, ?, ?>> reducer,
    int reduces) {
  /** The tasks of a job that writes the records that it reads. */
  public static JobTasks identity() {
    // Mapper is generic, and its class literal is raw
    @SuppressWarnings("unchecked")
    Class<? extends Mapper<?, ?, ?, ?>> mapper =
        (Class<? extends Mapper<?, ?, ?, ?>>) (Class<?>) Mapper.class;
    return mapOnly(mapper);
  }

  /** Returns the tasks of a job without reducers. */
  public static JobTasks mapOnly(Class<? extends Mapper<?, ?, ?, ?>> mapper) {
    return new JobTasks(mapper, null, null, null, null, null, 0);
  }

  /** Returns the tasks of a job with reducers. */
  public static <K, V> JobTasks mapReduce(
      Class<? extends Mapper<?, ?, K, V>> mapper,
      Class<K> key,
      Class<V> value,
      Class<? extends Reducer<K, V, ?, ?>> reducer,
      int reduces) {
    return new JobTasks(mapper, key, value, null, null, reducer, reduces);
  }

  /** Returns a copy with a combiner. */
  public JobTasks combinedBy(Class<? extends Reducer<?, ?, ?, ?>> other) {
    return new JobTasks(mapper, key, value, other, partitioner, reducer, reduces);
  }

  /** Returns a copy with a partitioner. */
  public JobTasks partitionedBy(Class<? extends Partitioner<?, ?>> other) {
    return new JobTasks(mapper, key, value, combiner, other, reducer, reduces);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // Job's setters take raw classes
  void set(Job job) {
    job.setMapperClass((Class<? extends Mapper>) mapper);
    job.setNumReduceTasks(reduces);
    if (reduces > 0) {
      job.setMapOutputKeyClass(key);
      job.setMapOutputValueClass(value);
      job.setReducerClass((Class<? extends Reducer>) reducer);
      if (combiner != null) {
        job.setCombinerClass((Class<? extends Reducer>) combiner);
      }
      if (partitioner != null) {
        job.setPartitionerClass((Class<? extends Partitioner>) partitioner);
      }
    }
  }
}
