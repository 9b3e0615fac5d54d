package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.failure.ContainerRole;
import org.saevhadoop.jobs.failure.FailureDiagnostics;
import org.saevhadoop.jobs.server.YarnApplications;

/** Finds the reason why a job failed on YARN. */
record JobFailure(Job job, FailureDiagnostics diagnostics) {
  /** JobImpl#TaskCompletedTransition. */
  private static final Pattern FAILED_TASK = Pattern.compile("Task failed (task_\\w+)");

  /**
   * Returns the failure of a job. An error while requesting the state is added to the failure of
   * the job and does not replace it.
   */
  static JobFailedException of(Job job) {
    String application = YarnApplications.application(job.getJobID()).toString();
    JobFailure failure =
        new JobFailure(job, new FailureDiagnostics(application, job.getConfiguration()));
    IOException unasked = null;
    Optional<ApplicationReport> report = Optional.empty();
    try {
      report = new YarnApplications(job.getConfiguration()).report(job.getJobID());
    } catch (IOException e) {
      unasked = e;
    }
    JobFailedException failed = report.map(failure::ofApplication).orElse(null);
    failed = failed == null ? failure.ofTasks(report) : failed;
    if (unasked != null) {
      failed.addSuppressed(unasked);
    }
    return failed;
  }

  /** Returns the failure of an application whose master did not end it; null if the master did. */
  private @Nullable JobFailedException ofApplication(ApplicationReport report) {
    String text = Objects.requireNonNullElse(report.getDiagnostics(), "");
    return switch (report.getYarnApplicationState()) {
      case FAILED -> new JobFailedException(diagnostics.ofMaster(text), whole(text), true);
      case KILLED -> new JobFailedException(diagnostics.ofKill(text), whole(text), false);
      default -> null;
    };
  }

  /** Returns the diagnostics as a cause, which {@code --debug} shows. */
  private static IOException whole(String text) {
    return new IOException(text);
  }

  private JobFailedException ofTasks(Optional<ApplicationReport> report) {
    String info = report.map(ApplicationReport::getDiagnostics).orElse("");
    try {
      String reported = job.getStatus().getFailureInfo();
      info = reported == null || reported.isBlank() ? info : reported;
      JobFailedException failed = info.contains("commit failed") ? null : ofTask(info);
      return failed == null ? new JobFailedException(ofJob(info), whole(info), false) : failed;
    } catch (IOException | InterruptedException | YarnRuntimeException e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return new JobFailedException(ofJob(info), e, false);
    }
  }

  private String ofJob(String info) {
    return info.isBlank()
        ? "%s failed (yarn logs -applicationId %s shows why)"
            .formatted(job.getJobID(), diagnostics.application())
        : diagnostics.ofJob(info);
  }

  /**
   * Returns the failure of the task that made the job fail, not of a task that succeeded in a later
   * attempt; null if no task made it fail.
   */
  private @Nullable JobFailedException ofTask(String info)
      throws IOException, InterruptedException {
    Matcher named = FAILED_TASK.matcher(info);
    String task = named.find() ? named.group(1) : null;
    for (TaskCompletionEvent event : job.getTaskCompletionEvents(0, Integer.MAX_VALUE)) {
      boolean failed =
          event.getStatus() == TaskCompletionEvent.Status.FAILED
              || event.getStatus() == TaskCompletionEvent.Status.TIPFAILED;
      var attempt = event.getTaskAttemptId();
      if (failed && (task == null || attempt.getTaskID().toString().equals(task))) {
        String text = String.join("\n", job.getTaskDiagnostics(attempt)).strip();
        if (!text.isEmpty()) {
          ContainerRole role = ContainerRole.of(attempt.getTaskType());
          return new JobFailedException(diagnostics.ofTask(role, text), whole(text), false);
        }
      }
    }
    return null;
  }
}
