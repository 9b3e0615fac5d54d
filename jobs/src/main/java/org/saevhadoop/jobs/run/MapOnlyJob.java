package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.task.JobInput;
import org.saevhadoop.mapreduce.conf.SharingJobConf;

/**
 * A job without reducers, whose tasks are run by threads of this process. The classes of the job
 * are called in the order in which Hadoop's {@code LocalJobRunner} calls them (3.4 and 3.5), but
 * configuration and splits stay in memory: that runner writes them to files, which it parses again
 * for the job and for each task.
 */
final class MapOnlyJob {
  private final JobContext job;
  private final Counters counters = new Counters();
  private final List<LocalMapTask<?, ?, ?, ?>> tasks = new ArrayList<>();
  private final FutureTask<Void> end;
  private final Thread thread;
  private int threads;

  MapOnlyJob(Job submitted, List<JobInput> inputs) throws IOException {
    JobID id = new JobID("local" + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE), 1);
    submitted.setJobID(id);
    SharingJobConf conf = new SharingJobConf(submitted.getConfiguration());
    for (int i = 0; i < inputs.size(); i++) {
      conf.share(i, inputs.get(i).dataset());
    }
    job = new JobContextImpl(conf, id);
    end = new FutureTask<>(asUser(this::run));
    thread = new Thread(end, job.getJobName());
  }

  /** From JDK 24 on, a new thread does not inherit the user. */
  private static Callable<Void> asUser(PrivilegedExceptionAction<Void> action) throws IOException {
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    return () -> user.doAs(action);
  }

  private OutputFormat<?, ?> output() throws ClassNotFoundException {
    return ReflectionUtils.newInstance(job.getOutputFormatClass(), job.getConfiguration());
  }

  /** Checks the output, and plans a task for each split, beginning with the largest. */
  void plan() throws IOException, InterruptedException, ClassNotFoundException {
    output().checkOutputSpecs(job);
    InputFormat<?, ?> input =
        ReflectionUtils.newInstance(job.getInputFormatClass(), job.getConfiguration());
    record Sized(InputSplit split, long length) {}
    List<Sized> splits = new ArrayList<>();
    for (InputSplit split : input.getSplits(job)) {
      splits.add(new Sized(split, split.getLength()));
    }
    splits.sort(Comparator.comparingLong(Sized::length).reversed());
    for (Sized sized : splits) {
      tasks.add(
          new LocalMapTask<>(
              sized.split(), attempt(tasks.size()), job.getConfiguration(), counters));
    }
    threads = threads();
  }

  private TaskAttemptID attempt(int task) {
    return new TaskAttemptID(new TaskID(job.getJobID(), TaskType.MAP, task), 0);
  }

  /** Returns the number of tasks that were planned. */
  int tasks() {
    return tasks.size();
  }

  void start() {
    thread.start();
  }

  private Void run() throws Exception {
    OutputCommitter committer =
        output().getOutputCommitter(new TaskAttemptContextImpl(job.getConfiguration(), attempt(0)));
    try {
      committer.setupJob(job);
      runTasks();
      committer.commitJob(job);
      return null;
    } catch (Throwable failure) {
      try {
        committer.abortJob(job, JobStatus.State.FAILED);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
  }

  /** Runs all tasks, even if one fails, as the others may complete files. */
  private void runTasks() throws IOException, InterruptedException, ExecutionException {
    List<Callable<Void>> calls = new ArrayList<>();
    for (LocalMapTask<?, ?, ?, ?> task : tasks) {
      calls.add(asUser(task));
    }
    ExecutorService executor =
        Executors.newFixedThreadPool(threads, task -> new Thread(task, "map task"));
    try {
      for (Future<Void> task : executor.invokeAll(calls)) {
        task.get();
      }
    } finally {
      executor.shutdownNow();
      executor.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS); // after an interruption
    }
  }

  private int threads() {
    int asked = LocalRunner.mapTasks(job.getConfiguration());
    return Math.max(1, Math.min(asked, tasks.size()));
  }

  /** Waits for the end of the job, and returns whether it has ended in time, or never begun. */
  boolean await(long millis) throws InterruptedException {
    if (thread.getState() == Thread.State.NEW) {
      return true;
    }
    try {
      end.get(millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }

  /** Returns the cause of the failure of a job that has ended; null if it has succeeded. */
  @Nullable Throwable failure() throws InterruptedException {
    try {
      end.get();
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  /** Returns the part of the work that is done. */
  float progress() {
    float done = 0;
    for (LocalMapTask<?, ?, ?, ?> task : tasks) {
      done += task.getProgress();
    }
    return done / Math.max(1, tasks.size());
  }

  Counters counters() {
    return counters;
  }

  /** Interrupts the job, which ends when all tasks have. */
  void kill() {
    thread.interrupt();
  }
}
