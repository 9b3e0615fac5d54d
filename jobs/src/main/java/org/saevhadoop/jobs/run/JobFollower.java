package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.saevhadoop.jobs.server.YarnApplications;

/**
 * Follows a job on YARN to its end, even while servers restart. The job is asked first; if it does
 * not answer, the ResourceManager is asked about the job's application.
 */
final class JobFollower implements AutoCloseable {
  private static final long POLL_MILLIS = 500;

  /** The rounding tolerance for progress, which is a sum of many fractions. */
  private static final float ROUNDING = 1e-4f;

  /** The time in seconds after which the user is told that there is no progress. */
  private static final long SILENCE_SECONDS = 10;

  private final Job job;
  private final RunningJob running;
  private final boolean resumable;
  private final Callable<Optional<ApplicationReport>> lookup;
  private final RunListener listener;

  /** Hadoop's clients block while they retry, so another thread makes the requests. */
  private final ExecutorService asker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "follows the job");
            thread.setDaemon(true);
            return thread;
          });

  private final long begun = System.nanoTime();
  private boolean silent;
  private boolean waited;
  private boolean committing;
  private long tasksEnded = begun;

  /**
   * Creates a follower.
   *
   * @param resumable whether {@code convert --resume} can continue the job
   * @param lookup asks the ResourceManager for the application of the job; empty if it is unknown
   * @param listener accepts progress and messages
   */
  JobFollower(
      Job job,
      RunningJob running,
      boolean resumable,
      Callable<Optional<ApplicationReport>> lookup,
      RunListener listener) {
    this.job = job;
    this.running = running;
    this.resumable = resumable;
    this.lookup = lookup;
    this.listener = listener;
  }

  /**
   * Waits for the end of the job and returns whether it succeeded.
   *
   * @throws IOException if it is not known whether the job has ended
   */
  boolean await(long bytes) throws IOException, InterruptedException {
    while (true) {
      try {
        if (ask(job::isComplete)) {
          return ask(job::isSuccessful);
        }
        show(bytes);
      } catch (IOException | YarnRuntimeException e) {
        Optional<ApplicationReport> report = report(e);
        if (report.isEmpty()) {
          throw forgotten(e);
        }
        if (YarnApplications.hasEnded(report.get())) {
          return report.get().getFinalApplicationStatus() == FinalApplicationStatus.SUCCEEDED;
        }
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private void show(long bytes) throws IOException, InterruptedException {
    int phases = job.getNumReduceTasks() > 0 ? 2 : 1;
    float maps = ask(job::mapProgress);
    float done = maps + (phases > 1 ? ask(job::reduceProgress) : 0);
    listener.progress(running, (long) (bytes * (double) done / phases), bytes);
    long now = System.nanoTime();
    if (done == 0 && !waited && seconds(now - begun) >= SILENCE_SECONDS) {
      waited = true;
      announce("no task has begun to read after %d s; yarn application -status %s shows the state");
    }
    tasksEnded = done < phases - ROUNDING ? now : tasksEnded;
    if (tasksEnded < now && !committing && seconds(now - tasksEnded) >= SILENCE_SECONDS) {
      committing = true;
      announce("all tasks have ended; the job has been committing their files for %d s");
    }
  }

  private static long seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos);
  }

  private void announce(String template) {
    listener.message(
        running.step() + ": " + template.formatted(SILENCE_SECONDS, running.application()));
  }

  private Optional<ApplicationReport> report(Exception unanswered)
      throws IOException, InterruptedException {
    try {
      return ask(lookup);
    } catch (IOException | YarnRuntimeException e) {
      unanswered.addSuppressed(e);
      throw JobError.OUT_OF_REACH
          .in(
              String.valueOf(running.application()),
              "neither the job nor the ResourceManager answers, and the job may still be running"
                  + " (expected an answer; yarn application -status %s shows how it ends)",
              running.application())
          .causedBy(unanswered);
    }
  }

  private IOException forgotten(Exception cause) {
    return JobError.FORGOTTEN
        .in(
            String.valueOf(running.application()),
            "is unknown to the ResourceManager, as after a restart without recovery, so it is not"
                + " known how the job ended (expected yarn.resourcemanager.recovery.enabled=true;"
                + " %s)",
            resumable
                ? "convert --resume continues from the files that are complete"
                : "run the command again")
        .causedBy(cause);
  }

  private <T> T ask(Callable<T> question) throws IOException, InterruptedException {
    Future<T> answer = asker.submit(question);
    try {
      try {
        T value = answer.get(SILENCE_SECONDS, TimeUnit.SECONDS);
        silent = false;
        return value;
      } catch (TimeoutException e) {
        if (!silent) {
          silent = true;
          announce("no answer for %d s about %s; waiting until it or the ResourceManager is back");
        }
        return answer.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      if (e.getCause() instanceof RuntimeException runtime) {
        throw runtime;
      }
      throw new IOException(e.getCause());
    }
  }

  @Override
  public void close() {
    asker.shutdownNow();
  }
}
