package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.storage.Uninterrupted;
import org.saevhadoop.jobs.failure.ErrorMessages;
import org.saevhadoop.jobs.task.ExampleTask;
import org.saevhadoop.jobs.task.ItemTask;
import org.saevhadoop.jobs.task.JobInput;
import org.saevhadoop.jobs.task.LocalTask;
import org.saevhadoop.jobs.task.WorkItem;
import org.saevhadoop.mapreduce.input.RecordCursor;
import org.saevhadoop.mapreduce.input.SplitPlanner;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ExampleRange;
import org.saevhadoop.mapreduce.job.InputSpec;

/**
 * The tasks of a job, run by threads of this process. If the data is local, no Hadoop class is
 * loaded.
 *
 * @param output the output of the tasks
 */
record LocalTasks<R>(DatasetJob<R> job, LocalOutput<R> output, JobRunner runner)
    implements JobRunner.Execution<R> {
  /** The time within which interrupted tasks must end. */
  private static final long KILL_MILLIS = 8000;

  private static final long POLL_MILLIS = 20;

  @Override
  public void close() throws IOException {
    output.close();
  }

  @Override
  public JobPlan plan() throws IOException {
    StoragePath temporary = runner.checkScratch();
    runner.mapThreads(); // the setting may be invalid
    boolean isTemporary = job.output().isTemporary();
    return new JobPlan(tasks().size(), 0, job.bytes(), isTemporary ? temporary : null);
  }

  @Override
  public R run() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    List<LocalTask> tasks = tasks();
    RunningJob running = new RunningJob(job.step(), job.name(), null, null);
    runner.listener().job(running);
    try {
      if (Thread.interrupted()) { // before a task could end
        throw new InterruptedException();
      }
      output.begin();
      follow(tasks, running);
      output.commit();
    } catch (IOException | InterruptedException | RuntimeException e) {
      try {
        Uninterrupted.run(output::abort);
      } catch (IOException failure) {
        e.addSuppressed(failure);
      }
      end(running, false, begun, Map.of());
      throw e;
    }
    runner.listener().progress(running, job.bytes(), job.bytes());
    return output.result(end(running, true, begun, counters(tasks)));
  }

  private FinishedJob end(
      RunningJob running, boolean succeeded, long begun, Map<String, Long> counters) {
    double seconds = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / 1000.0;
    FinishedJob finished = new FinishedJob(running, succeeded, 0, seconds, counters);
    runner.listener().result(finished);
    return finished;
  }

  /** Returns a task for each work item or for each range of examples, in order. */
  private List<LocalTask> tasks() throws IOException {
    List<LocalTask> tasks = new ArrayList<>();
    if (job.items() != null) {
      for (WorkItem item : job.items().get()) {
        int number = tasks.size();
        tasks.add(new ItemTask(item, () -> output.attempt(number)));
      }
      return tasks;
    }
    JobInput source = job.input();
    InputSpec spec = Objects.requireNonNull(source.spec());
    TableDataset dataset = source.part();
    RecordSelection selection = RecordCursor.selection(spec, dataset);
    long exampleBytes = Math.max(1, selection.exampleBytes(dataset.table()));
    List<ExampleRange> missing = job.settings().get(ConversionKeys.MISSING);
    for (ExampleRange range :
        SplitPlanner.ranges(dataset, selection, runner.splitBytes(job.splitBytes()), missing)) {
      long bytes = selection.examplesIn(range.first(), range.count()) * exampleBytes;
      int number = tasks.size();
      tasks.add(
          new ExampleTask(
              job.settings(),
              source,
              job.second(),
              range,
              bytes,
              runner::parse,
              () -> output.attempt(number)));
    }
    return tasks;
  }

  /** Runs all tasks, beginning with the largest, and reports their progress. */
  private void follow(List<LocalTask> tasks, RunningJob running)
      throws IOException, InterruptedException {
    List<LocalTask> largest = new ArrayList<>(tasks);
    largest.sort(Comparator.comparingLong(LocalTask::bytes).reversed());
    List<Future<Void>> ends = new ArrayList<>();
    Semaphore idle = new Semaphore(tasks.size());
    try {
      for (LocalTask task : largest) {
        ends.add(runner.mapTasks().submit(runner.asUser(unlessEnded(task, idle))));
      }
      Throwable failure = null;
      for (Future<Void> end : ends) {
        Throwable found = await(end, tasks, running);
        failure = failure == null ? found : failure;
      }
      if (failure != null) {
        throw failed(failure);
      }
    } finally {
      ends.forEach(end -> end.cancel(true));
      if (!idle.tryAcquire(tasks.size(), KILL_MILLIS, TimeUnit.MILLISECONDS)) {
        runner
            .listener()
            .warning(
                "tasks of %s may still be running after %d s"
                    .formatted(job.step(), TimeUnit.MILLISECONDS.toSeconds(KILL_MILLIS)));
      }
    }
  }

  /**
   * Returns a call that runs a task, unless its job has ended: the job then holds all permits.
   *
   * @param idle has a permit for each task that is not running
   */
  private static Callable<Void> unlessEnded(LocalTask task, Semaphore idle) {
    return () -> {
      if (idle.tryAcquire()) {
        try {
          task.call();
        } finally {
          idle.release();
        }
      }
      return null;
    };
  }

  /** Waits for the end of a task, and returns its failure; null if it has succeeded. */
  private @Nullable Throwable await(Future<Void> end, List<LocalTask> tasks, RunningJob running)
      throws InterruptedException {
    while (true) {
      try {
        end.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
        return null;
      } catch (TimeoutException e) {
        long all = Math.max(1, tasks.stream().mapToLong(LocalTask::bytes).sum());
        double done = tasks.stream().mapToLong(LocalTask::bytesRead).sum();
        long shown = (long) (job.bytes() * Math.min(1, done / all));
        runner.listener().progress(running, shown, job.bytes());
      } catch (ExecutionException e) {
        return e.getCause();
      }
    }
  }

  private JobFailedException failed(Throwable failure) throws IOException {
    IOException cause = JobAttempt.withPath(failure, runner);
    String source = job.source().shown();
    return new JobFailedException(ErrorMessages.describe(cause, source), cause, false);
  }

  private Map<String, Long> counters(List<LocalTask> tasks) {
    Map<String, Long> counters = new LinkedHashMap<>();
    JobCounters.put(tasks.stream().map(LocalTask::counts).toList(), output.counter(), counters);
    return counters;
  }
}
