package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.mapreduce.Job;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.WriteFailure;
import org.saevhadoop.jobs.failure.ErrorMessages;
import org.saevhadoop.jobs.server.YarnApplications;

/** One submission of a job, followed to its end. Reduces the cause of a failure to one line. */
record JobAttempt(DatasetJob<?> job, Job hadoop, JobRunner runner) {
  /**
   * The time within which a killed job must end, so that an interruption takes at most 10 seconds.
   */
  private static final long KILL_MILLIS = 8000;

  /**
   * Submits the job and waits for its completion.
   *
   * @throws JobFailedException if the job ends without success
   * @throws InterruptedException if the thread is interrupted; the job has been killed
   */
  FinishedJob run() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    try (LocalFailure failure = new LocalFailure()) {
      submit();
      RunningJob running = running();
      Map<String, Long> counters;
      try {
        if (!follow(running)) {
          throw runner.isLocal() ? localFailure(failure) : JobFailure.of(hadoop);
        }
        runner.listener().progress(running, job.bytes(), job.bytes());
        counters = JobCounters.of(hadoop, runner.listener());
      } catch (IOException | InterruptedException | RuntimeException e) {
        end(running, false, begun, Map.of());
        throw e;
      }
      return end(running, true, begun, counters);
    }
  }

  private FinishedJob end(
      RunningJob running, boolean succeeded, long begun, Map<String, Long> counters) {
    double seconds = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / 1000.0;
    FinishedJob finished =
        new FinishedJob(running, succeeded, hadoop.getNumReduceTasks(), seconds, counters);
    runner.listener().result(finished);
    return finished;
  }

  private void submit() throws IOException, InterruptedException {
    try {
      hadoop.submit();
    } catch (IOException | FSError e) {
      throw withPath(e, runner);
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  private RunningJob running() {
    if (runner.isLocal()) {
      return new RunningJob(job.step(), hadoop.getJobName(), null, null);
    }
    String application = YarnApplications.application(hadoop.getJobID()).toString();
    return new RunningJob(job.step(), hadoop.getJobName(), application, hadoop.getTrackingURL());
  }

  /** Follows the job to its end, and kills it if the thread is interrupted. */
  private boolean follow(RunningJob running) throws IOException, InterruptedException {
    try {
      if (!runner.isLocal() && job.folder() != null) {
        job.folder().record(YarnApplications.submitted(hadoop));
      }
      runner.listener().job(running);
      boolean succeeded = runner.isLocal() ? awaitLocal(running) : awaitOnYarn(running);
      markEnded();
      return succeeded;
    } catch (IOException | InterruptedException | RuntimeException e) {
      boolean interrupted = Thread.interrupted();
      if ((interrupted || JobRunner.isInterruption(e)) && kill()) {
        markEnded();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      throw e;
    }
  }

  private void markEnded() {
    if (!runner.isLocal() && job.folder() != null) {
      job.folder().ended(YarnApplications.submitted(hadoop));
    }
  }

  private boolean awaitOnYarn(RunningJob running) throws IOException, InterruptedException {
    YarnApplications applications = new YarnApplications(hadoop.getConfiguration());
    try (JobFollower follower =
        new JobFollower(
            hadoop,
            running,
            job.folder() != null,
            () -> applications.report(hadoop.getJobID()),
            runner.listener())) {
      return follower.await(job.bytes());
    }
  }

  private boolean awaitLocal(RunningJob running) throws IOException, InterruptedException {
    while (!hadoop.isComplete()) {
      float done = (hadoop.mapProgress() + hadoop.reduceProgress()) / 2;
      runner.listener().progress(running, (long) (job.bytes() * (double) done), job.bytes());
      Thread.sleep(LocalRunner.POLL_MILLIS);
    }
    return hadoop.isSuccessful();
  }

  /**
   * Kills the job, and waits until it has ended. Hadoop's client blocks while it waits, so another
   * thread calls it.
   *
   * @return whether the job has ended
   */
  private boolean kill() throws InterruptedException {
    FutureTask<Boolean> kill =
        new FutureTask<>(
            () -> {
              hadoop.killJob();
              while (!hadoop.isComplete()) {
                Thread.sleep(LocalRunner.POLL_MILLIS);
              }
              return true;
            });
    Thread thread = new Thread(kill, "kills the job");
    thread.setDaemon(true);
    thread.start();
    String why = "no answer for %d s".formatted(TimeUnit.MILLISECONDS.toSeconds(KILL_MILLIS));
    try {
      return kill.get(KILL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      kill.cancel(true);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      why = ErrorMessages.describe(cause == null ? e : cause);
    }
    runner.listener().warning("%s may still be running: %s".formatted(hadoop.getJobID(), why));
    return false;
  }

  /**
   * Returns an error that names a path, if the local disk is full: when Hadoop fails to write job
   * files, it reports only the message of the operating system.
   */
  static IOException withPath(Throwable failure, JobRunner runner) throws IOException {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FormatException named) {
        return named;
      }
      if (cause instanceof IOException full && WriteFailure.isFull(full)) {
        return WriteFailure.of(runner.scratch(), "hold the files of the job", full);
      }
    }
    return failure instanceof IOException e ? e : new IOException(failure);
  }

  private JobFailedException localFailure(LocalFailure reported)
      throws IOException, InterruptedException {
    Throwable failure = reported.await(hadoop.getJobID());
    if (failure == null) {
      String info = hadoop.getStatus().getFailureInfo();
      return new JobFailedException(ErrorMessages.fromDiagnostics(info), null, false);
    }
    IOException cause = withPath(failure, runner);
    String source = job.source().shown();
    return new JobFailedException(ErrorMessages.describe(cause, source), cause, false);
  }
}
