package org.saevhadoop.jobs.server;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.saevhadoop.format.publish.run.SubmittedJob;
import org.saevhadoop.jobs.failure.ErrorMessages;

/**
 * The applications of a YARN cluster. Requests to a ResourceManager that does not answer are
 * repeated for up to {@code yarn.resourcemanager.connect.max-wait.ms}, 15 minutes by default.
 *
 * @param conf the configuration of the cluster
 */
public record YarnApplications(Configuration conf) {
  private static final String ADDRESS = "yarn.resourcemanager.address";
  private static final String CLUSTER = "yarn.resourcemanager.cluster-id";
  private static final String DEFAULT_ADDRESS = "0.0.0.0:8032";
  private static final Set<YarnApplicationState> ENDED =
      Set.of(
          YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);

  /** Returns the record of a job that was submitted to YARN. */
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
    return conf.get(CLUSTER, conf.get(ADDRESS, DEFAULT_ADDRESS));
  }

  /**
   * Returns whether a job has not ended. A ResourceManager forgets old applications, so an
   * application that it no longer knows has ended.
   *
   * @param servers asks the ResourceManager, if it is the one that the job uses
   * @throws IOException if it cannot be determined whether the job has ended
   */
  public boolean isAlive(SubmittedJob job, Servers servers) throws IOException {
    String address = address(conf);
    String recorded = job.resourceManager();
    check(
        MRConfig.YARN_FRAMEWORK_NAME.equals(conf.get(MRConfig.FRAMEWORK_NAME))
            || !address.equals(DEFAULT_ADDRESS),
        "%s, and this client uses no YARN cluster",
        recorded.isEmpty() ? "the file is damaged" : "it runs on the YARN cluster " + recorded);
    check(
        recorded.isEmpty() || address.equals(recorded),
        "it runs on the YARN cluster %s, and this client uses %s",
        recorded,
        address);
    servers.reachResourceManager();
    Optional<ApplicationReport> report = report(JobID.forName(job.id()));
    check(
        report.isPresent() || !recorded.isEmpty(),
        "the file is damaged, and the YARN cluster %s does not know the application",
        address);
    return report.isPresent() && !hasEnded(report.get());
  }

  private static void check(boolean condition, String template, Object... arguments)
      throws IOException {
    if (!condition) {
      throw new IOException(template.formatted(arguments));
    }
  }

  /**
   * Returns the ResourceManager's report about a job's application; empty if it does not know the
   * application.
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
