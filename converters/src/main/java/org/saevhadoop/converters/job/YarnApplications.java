package org.saevhadoop.converters.job;

import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.saevhadoop.mapreduce.publish.LiveApplications;
import org.saevhadoop.mapreduce.publish.SubmittedJob;

/**
 * The applications of a YARN cluster.
 *
 * @param conf the configuration of the cluster
 */
public record YarnApplications(Configuration conf) implements LiveApplications {
  private static final String ADDRESS = "yarn.resourcemanager.address";
  private static final String CLUSTER = "yarn.resourcemanager.cluster-id";
  private static final Set<YarnApplicationState> ENDED =
      Set.of(
          YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);

  /** Returns what is recorded of a job that was submitted to YARN. */
  static SubmittedJob submitted(Job job) {
    return new SubmittedJob(job.getJobID().toString(), address(job.getConfiguration()));
  }

  private static String address(Configuration conf) {
    return conf.get(CLUSTER, conf.get(ADDRESS, "0.0.0.0:8032"));
  }

  /**
   * {@inheritDoc} A ResourceManager forgets old applications, so one that it does not know has
   * ended.
   */
  @Override
  public boolean isAlive(SubmittedJob job) throws IOException {
    String address = address(conf);
    if (!address.equals(job.resourceManager())) {
      throw new IOException(
          "%s: runs on the YARN cluster %s, which this client does not use (expected %s, or the"
                  .formatted(job.id(), job.resourceManager(), address)
              + " configuration of that cluster)");
    }
    JobID id = JobID.forName(job.id());
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(conf);
    yarn.start();
    try {
      ApplicationId application =
          ApplicationId.newInstance(Long.parseLong(id.getJtIdentifier()), id.getId());
      return !ENDED.contains(yarn.getApplicationReport(application).getYarnApplicationState());
    } catch (ApplicationNotFoundException e) {
      return false;
    } catch (YarnException e) {
      throw new IOException(job.id() + ": its state is unknown: " + e.getMessage(), e);
    } finally {
      yarn.stop();
    }
  }
}
