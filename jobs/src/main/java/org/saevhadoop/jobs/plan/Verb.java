package org.saevhadoop.jobs.plan;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;

/**
 * A verb as a program calls it: a value that names sources and options.
 *
 * @param <R> the result
 */
@PublicApi
public interface Verb<R> {
  /**
   * A verb that reads the dataset at one path, according to its configuration.
   *
   * @hidden
   */
  @Internal
  interface OfPath<R> extends Verb<R> {
    /** Returns the path of the dataset. */
    String path();

    @Override
    default List<SourceRequest> sources(JobRunner runner) throws IOException {
      return List.of(SourceRequest.of(path(), SettingSource.CONFIGURATION, runner));
    }
  }

  /**
   * Returns the configuration of file systems and jobs, with the keys of the sources; null for the
   * configuration on the class path.
   */
  @Nullable Configuration conf();

  /**
   * Finds the sources.
   *
   * @throws org.saevhadoop.format.settings.SettingException if a setting is invalid
   * @throws IOException if no dataset is found
   * @hidden
   */
  @Internal
  List<SourceRequest> sources(JobRunner runner) throws IOException;

  /**
   * Prepares the verb for sources that have been found, as {@link #sources} or the options of a
   * command find them.
   *
   * @throws org.saevhadoop.format.settings.SettingException if a setting is invalid
   * @hidden
   */
  @Internal
  Prepared<R> prepare(List<SourceRequest> sources, JobRunner runner) throws IOException;

  /**
   * Runs the verb, with a copy of the configuration.
   *
   * @throws org.saevhadoop.format.settings.SettingException if a setting is invalid
   * @throws IOException if a source is malformed, a destination cannot be written, or a job fails;
   *     the message is one line
   * @throws InterruptedException if the thread is interrupted; its jobs have already been killed
   */
  default R run(RunListener listener) throws IOException, InterruptedException {
    return JobRunner.call(conf(), listener, runner -> prepare(sources(runner), runner).run());
  }

  /**
   * Returns the plans of {@link #run}, after the same checks: one for each dataset that would be
   * written, or a single plan if no dataset would be written. Nothing is written, and no job is
   * submitted.
   *
   * @throws org.saevhadoop.format.settings.SettingException if a setting is invalid
   * @throws IOException if the verb would fail before its first job
   */
  default List<RunPlan> describe(RunListener listener) throws IOException, InterruptedException {
    return JobRunner.call(conf(), listener, runner -> prepare(sources(runner), runner).describe());
  }
}
