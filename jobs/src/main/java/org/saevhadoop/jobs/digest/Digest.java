package org.saevhadoop.jobs.digest;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.PreparedReading;
import org.saevhadoop.jobs.plan.Verb;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SourceRequest;

/**
 * Computes the digest of a dataset, or of the part that the {@code saev.input.*} keys select, in a
 * job.
 *
 * @param path the path of the dataset
 * @param conf the configuration of file systems and jobs, with the keys of the input; null for the
 *     configuration on the class path
 */
@PublicApi
public record Digest(String path, @Nullable Configuration conf)
    implements Verb.OfPath<DatasetDigest> {
  /**
   * Returns the verb for the dataset at a path, or for the part of it that a configuration selects.
   */
  public static Digest of(String path, @Nullable Configuration conf) {
    return new Digest(path, conf);
  }

  /**
   * @hidden
   */
  @Internal
  @Override
  public Prepared<DatasetDigest> prepare(List<SourceRequest> sources, JobRunner runner) {
    return new PreparedReading<>(
        sources,
        opened -> List.of(DigestJob.job(opened.get(0))),
        opened -> DigestJob.of(opened.get(0), runner),
        runner);
  }
}
