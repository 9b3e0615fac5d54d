package org.saevhadoop.jobs.run;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.storage.Uninterrupted;
import org.saevhadoop.jobs.task.JobInput;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.job.InputSpec;

/** The tasks of a job, run by Hadoop: on YARN, or by its local runner. */
record HadoopTasks<R>(DatasetJob<R> job, JobRunner runner) implements JobRunner.Execution<R> {
  /**
   * The jar of this program, found only once because Hadoop searches the whole class path for it.
   */
  private static final class OwnJar {
    static final @Nullable String PATH = JobConf.findContainingJar(JobRunner.class);
  }

  /**
   * A folder for the output, which is deleted when it is closed: a failure to delete it does not
   * replace an earlier failure, which matters more to the user.
   *
   * @param path the folder, which may not exist
   */
  private record TemporaryFolder(RunStorage storage, StoragePath path) implements Closeable {
    @Override
    public void close() throws IOException {
      Uninterrupted.run(() -> storage.delete(path));
    }
  }

  @Override
  public JobPlan plan() throws IOException, InterruptedException {
    boolean isTemporary = job.output().isTemporary();
    runner.servers().awaitServer(new Path("/"));
    StoragePath folder = isTemporary || runner.isLocal() ? runner.checkTemporaryRoot() : null;
    Job hadoop = create();
    reachCluster();
    int tasks = splits(hadoop).size();
    return new JobPlan(tasks, hadoop.getNumReduceTasks(), job.bytes(), isTemporary ? folder : null);
  }

  private List<? extends InputSplit> splits(Job hadoop) throws IOException, InterruptedException {
    JobInput input = job.input();
    if (job.items() == null && input.dataset() != null) {
      return ActivationInputFormat.splits(
          input.part(), Objects.requireNonNull(input.spec()), hadoop);
    }
    try {
      return ReflectionUtils.newInstance(hadoop.getInputFormatClass(), hadoop.getConfiguration())
          .getSplits(hadoop);
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  /**
   * {@inheritDoc} A job whose output is temporary is submitted again if the cluster loses its
   * application master; otherwise, the verb continues with the complete files.
   *
   * @throws IOException if the job cannot be submitted, or its state is unknown, which does not
   *     mean that the job has ended
   */
  @Override
  public R run() throws IOException, InterruptedException {
    return job.output().isTemporary()
        ? new LostMasters(runner.listener()).repeat(this::runOnce, () -> 0, "")
        : runOnce();
  }

  private R runOnce() throws IOException, InterruptedException {
    runner.servers().awaitServer(new Path("/"));
    try (TemporaryFolder temporary = temporary()) {
      Path folder = temporary == null ? null : HadoopPath.hadoop(temporary.path());
      Job hadoop = create();
      if (runner.isLocal()) {
        LocalRunner.prepareJob(runner.scratch(), hadoop.getConfiguration());
      }
      job.output().prepare(hadoop, folder);
      reachCluster();
      FinishedJob finished = new JobAttempt(job, hadoop, runner).run();
      return job.output().result(hadoop, finished, folder);
    }
  }

  private void reachCluster() throws IOException, InterruptedException {
    if (!runner.isLocal()) {
      runner.servers().reachResourceManager();
    }
  }

  /** Returns a folder for the output; null if it is not temporary. */
  private @Nullable TemporaryFolder temporary() throws IOException {
    if (!job.output().isTemporary()) {
      return null; // the user may not be allowed to write to /tmp
    }
    StoragePath folder = runner.temporaryFolder(job.step());
    return new TemporaryFolder(runner.storage(folder), folder);
  }

  private Job create() throws IOException {
    Job hadoop = Job.getInstance(runner.conf(), job.name());
    Configuration own = hadoop.getConfiguration();
    if (OwnJar.PATH != null) {
      hadoop.setJar(OwnJar.PATH);
    }
    InputSpec spec = job.input().spec();
    if (spec != null) {
      spec.toConf(own);
    }
    hadoop.setInputFormatClass(job.input().format());
    ConfSettings.write(job.settings(), own);
    job.setTasks(hadoop);
    if (HadoopFolder.isLocal(FileSystem.get(own))) {
      // the current folder would be a text in the job's file, in which variables are expanded
      hadoop.setWorkingDirectory(new Path("/"));
    }
    return hadoop;
  }
}
