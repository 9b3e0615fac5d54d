package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.StatusReporter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.map.WrappedMapper;
import org.apache.hadoop.mapreduce.task.MapContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.ReflectionUtils;
import org.saevhadoop.mapreduce.conf.SharingJobConf;

/** A task of a {@link MapOnlyJob}. */
final class LocalMapTask<K, V, L, W> extends StatusReporter
    implements PrivilegedExceptionAction<Void> {
  private final InputSplit split;
  private final TaskAttemptID id;
  private final Configuration job;
  private final Counters counters;
  private volatile float progress;

  LocalMapTask(InputSplit split, TaskAttemptID id, Configuration job, Counters counters) {
    this.split = split;
    this.id = id;
    this.job = job;
    this.counters = counters;
  }

  @SuppressWarnings("unchecked") // the classes of a job fit together, or its first record fails
  private static <T> T create(Class<?> type, Configuration conf) {
    return (T) ReflectionUtils.newInstance(type, conf);
  }

  @Override
  public Void run() throws IOException, InterruptedException, ClassNotFoundException {
    JobConf conf = new SharingJobConf(job);
    TaskAttemptContext task = new TaskAttemptContextImpl(conf, id, this);
    OutputFormat<L, W> output = create(task.getOutputFormatClass(), conf);
    OutputCommitter committer = output.getOutputCommitter(task);
    committer.setupTask(task);
    InputFormat<K, V> input = create(task.getInputFormatClass(), conf);
    RecordReader<K, V> reader = input.createRecordReader(split, task);
    RecordWriter<L, W> writer = output.getRecordWriter(task);
    try {
      map(reader, writer, committer, create(task.getMapperClass(), conf), conf);
    } catch (Throwable failure) {
      try {
        writer.close(task);
      } catch (IOException | RuntimeException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
    writer.close(task);
    if (committer.needsTaskCommit(task)) {
      committer.commitTask(task);
    }
    progress = 1;
    return null;
  }

  private void map(
      RecordReader<K, V> reader,
      RecordWriter<L, W> writer,
      OutputCommitter committer,
      Mapper<K, V, L, W> mapper,
      JobConf conf)
      throws IOException, InterruptedException {
    MapContextImpl<K, V, L, W> context =
        new MapContextImpl<>(conf, id, reader, writer, committer, this, split) {
          @Override
          public boolean nextKeyValue() throws IOException, InterruptedException {
            boolean more = super.nextKeyValue();
            progress = reader.getProgress();
            return more;
          }
        };
    try (reader) {
      reader.initialize(split, context);
      mapper.run(new WrappedMapper<K, V, L, W>().getMapContext(context));
    }
  }

  @Override
  public Counter getCounter(Enum<?> name) {
    return counters.findCounter(name);
  }

  @Override
  public Counter getCounter(String group, String name) {
    return counters.findCounter(group, name);
  }

  @Override
  public void progress() {
    // no one waits for a sign of life
  }

  @Override
  public float getProgress() {
    return progress;
  }

  @Override
  public void setStatus(String status) {
    // not shown
  }
}
