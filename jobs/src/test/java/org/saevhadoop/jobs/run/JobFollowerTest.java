package org.saevhadoop.jobs.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertError;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.util.Records;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The end of a job whose servers do not answer. */
class JobFollowerTest {
  private static final String APPLICATION = "application_17_0004";

  /** A job that gives these answers, one after another. */
  @SuppressWarnings("deprecation") // only this constructor is public, for subclasses too
  private static final class ScriptedJob extends Job {
    private final Deque<Callable<Boolean>> answers;

    ScriptedJob(List<Callable<Boolean>> answers) throws IOException {
      super(new Configuration());
      setJobID(new JobID("17", 4));
      setNumReduceTasks(0);
      this.answers = new ArrayDeque<>(answers);
    }

    @Override
    public boolean isComplete() throws IOException {
      try {
        return answers.remove().call();
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public boolean isSuccessful() {
      return true;
    }

    @Override
    public float mapProgress() {
      return 0.5f;
    }
  }

  private final List<String> messages = new ArrayList<>();

  private boolean follow(Job job, Callable<Optional<ApplicationReport>> lookup) throws Exception {
    RunningJob running = new RunningJob("convert", "a job", APPLICATION, "");
    RunListener listener =
        new RunListener() {
          @Override
          public void message(String line) {
            messages.add(line);
          }
        };
    try (JobFollower follower = new JobFollower(job, running, true, lookup, listener)) {
      return follower.await(1);
    }
  }

  private static boolean unanswered() throws IOException {
    throw new IOException("Call From here to there failed");
  }

  private static Optional<ApplicationReport> report(
      YarnApplicationState state, FinalApplicationStatus end) {
    ApplicationReport report = Records.newRecord(ApplicationReport.class);
    report.setYarnApplicationState(state);
    report.setFinalApplicationStatus(end);
    return Optional.of(report);
  }

  private static IOException failureOf(ThrowingCallable call) {
    return org.assertj.core.api.Assertions.catchThrowableOfType(IOException.class, call);
  }

  @Test
  void aJobIsFollowedToItsEnd() throws Exception {
    assertThat(follow(new ScriptedJob(List.of(() -> false, () -> true)), () -> Optional.empty()))
        .isTrue();
  }

  @Test
  void theEndOfAJobThatNobodyRemembersIsAskedOfTheResourceManager() throws Exception {
    for (FinalApplicationStatus end :
        List.of(FinalApplicationStatus.SUCCEEDED, FinalApplicationStatus.FAILED)) {
      Job job = new ScriptedJob(List.of(JobFollowerTest::unanswered));
      assertThat(follow(job, () -> report(YarnApplicationState.FINISHED, end)))
          .isEqualTo(end == FinalApplicationStatus.SUCCEEDED);
    }
  }

  @Test
  void aJobThatStillRunsIsAskedAgain() throws Exception {
    Job job = new ScriptedJob(List.of(JobFollowerTest::unanswered, () -> true));
    assertThat(
            follow(
                job, () -> report(YarnApplicationState.RUNNING, FinalApplicationStatus.UNDEFINED)))
        .isTrue();
  }

  @Test
  void aForgottenApplicationIsOneLineAndNotAFailure() throws IOException {
    Job job = new ScriptedJob(List.of(JobFollowerTest::unanswered));
    IOException failure = failureOf(() -> follow(job, Optional::empty));
    assertError(JobError.FORGOTTEN, APPLICATION, failure);
    assertThat(failure).isNotInstanceOf(JobFailedException.class).hasMessageContaining("--resume");
    assertThat(failure.getCause()).hasMessage("Call From here to there failed");
  }

  @Test
  void aClusterOutOfReachKeepsBothReasons() throws IOException {
    Job job = new ScriptedJob(List.of(JobFollowerTest::unanswered));
    IOException failure =
        failureOf(
            () ->
                follow(
                    job,
                    () -> {
                      throw new IOException("no ResourceManager");
                    }));
    assertError(JobError.OUT_OF_REACH, APPLICATION, failure);
    assertThat(failure.getCause().getSuppressed()[0]).hasMessage("no ResourceManager");
  }
}
