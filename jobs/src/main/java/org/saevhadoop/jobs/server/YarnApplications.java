package org.saevhadoop.jobs.server;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.saevhadoop.jobs.failure.ErrorMessages;
import org.saevhadoop.mapreduce.publish.run.SubmittedJob;

/**
 * The applications of a YARN cluster. A ResourceManager that does not answer is asked for up to
 * {@code yarn.resourcemanager.connect.max-wait.ms}, 15 minutes by default.
 *
 * @param conf the configuration of the cluster
 */
public record YarnApplications(Configuration conf) {
  private static final String ADDRESS = "yarn.resourcemanager.address";
  private static final String CLUSTER = "yarn.resourcemanager.cluster-id";
  private static final Set<YarnApplicationState> ENDED =
      Set.of(
          YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);

  /** Returns what is recorded of a job that was submitted to YARN. */
  public static SubmittedJob submitted(Job job) {
    return new SubmittedJob(job.getJobID().toString(), address(job.getConfiguration()));
  }

  /** Returns the id of the application that runs a job. */
  public static ApplicationId application(JobID job) {
    return ApplicationId.newInstance(Long.parseLong(job.getJtIdentifier()), job.getId());
  }

  public static boolean hasEnded(ApplicationReport report) {
    return ENDED.contains(report.getYarnApplicationState());
  }

  private static String address(Configuration conf) {
    return conf.get(CLUSTER, conf.get(ADDRESS, "0.0.0.0:8032"));
  }

  /**
   * Returns whether a job has not ended. A ResourceManager forgets old applications, so one that it
   * does not know has ended.
   *
   * @throws IOException if that cannot be determined
   */
  public boolean isAlive(SubmittedJob job) throws IOException {
    String address = address(conf);
    if (!job.resourceManager().isEmpty() && !address.equals(job.resourceManager())) {
      throw new IOException(
          "%s: runs on the YARN cluster %s, which this client does not use (expected %s, or the"
                  .formatted(job.application(), job.resourceManager(), address)
              + " configuration of that cluster)");
    }
    Optional<ApplicationReport> report = report(JobID.forName(job.id()));
    return report.isPresent() && !hasEnded(report.get());
  }

  /**
   * Returns what the ResourceManager reports of a job's application; empty if it does not know it.
   *
   * @throws IOException if the ResourceManager does not answer
   */
  public Optional<ApplicationReport> report(JobID job) throws IOException {
    try {
      return Optional.of(ask(conf, yarn -> yarn.getApplicationReport(application(job))));
    } catch (ApplicationNotFoundException e) {
      return Optional.empty();
    } catch (YarnException e) {
      throw new IOException(
          application(job) + ": its state is unknown: " + ErrorMessages.describe(e), e);
    }
  }

  private interface Question<T> {
    T ask(YarnClient yarn) throws IOException, YarnException;
  }

  private static <T> T ask(Configuration conf, Question<T> question)
      throws IOException, YarnException {
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(conf);
    yarn.start();
    try {
      return question.ask(yarn);
    } finally {
      yarn.stop();
    }
  }
}
