package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.map.WrappedMapper;
import org.apache.hadoop.mapreduce.task.MapContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl.DummyReporter;
import org.apache.hadoop.util.ReflectionUtils;
import org.saevhadoop.mapreduce.Tasks;
import org.saevhadoop.mapreduce.conf.ConfSettings;

/** Runs map-only jobs, one task after another, with Hadoop's own committer. */
final class TasksByHand implements StagingJob.Runner {
  /** The splits of each job that was run. */
  final List<List<String>> splits = new ArrayList<>();

  private final Configuration conf;

  TasksByHand(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public void run(StagingJob staging) throws IOException, InterruptedException {
    Job job = Job.getInstance(conf);
    staging.input().toConf(job.getConfiguration());
    ConfSettings.write(staging.settings(), job.getConfiguration());
    SideFiles.setOutput(job, staging.folder());
    try {
      runJob(job, staging.inputFormat(), staging.mapper());
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  @SuppressWarnings("unchecked") // a job knows its classes without their type parameters
  private <K, V, K2, V2> void runJob(Job job, Class<?> input, Class<?> mapper)
      throws IOException, InterruptedException, ClassNotFoundException {
    Configuration conf = job.getConfiguration();
    InputFormat<K, V> in = (InputFormat<K, V>) ReflectionUtils.newInstance(input, conf);
    OutputFormat<?, ?> ofClient = ReflectionUtils.newInstance(job.getOutputFormatClass(), conf);
    ofClient.checkOutputSpecs(job);
    List<InputSplit> all = in.getSplits(job);
    splits.add(all.stream().map(Object::toString).toList());
    OutputCommitter ofJob = ofClient.getOutputCommitter(Tasks.attempt(conf, 0, 0));
    ofJob.setupJob(job);
    for (int i = 0; i < all.size(); i++) {
      TaskAttemptContext task = Tasks.attempt(conf, i, 0);
      // each task has its own: it remembers the first committer that it was asked for
      OutputFormat<K2, V2> out =
          (OutputFormat<K2, V2>) ReflectionUtils.newInstance(job.getOutputFormatClass(), conf);
      OutputCommitter committer = out.getOutputCommitter(task);
      committer.setupTask(task);
      try (RecordReader<K, V> reader = in.createRecordReader(all.get(i), task)) {
        reader.initialize(all.get(i), task);
        Mapper<K, V, K2, V2> map = (Mapper<K, V, K2, V2>) ReflectionUtils.newInstance(mapper, conf);
        map.run(
            new WrappedMapper<K, V, K2, V2>()
                .getMapContext(
                    new MapContextImpl<>(
                        conf,
                        task.getTaskAttemptID(),
                        reader,
                        out.getRecordWriter(task),
                        committer,
                        new DummyReporter(),
                        all.get(i))));
      }
      committer.commitTask(task);
    }
    ofJob.commitJob(job);
  }
}
