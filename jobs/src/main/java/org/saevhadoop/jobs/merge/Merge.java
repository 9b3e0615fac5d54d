package org.saevhadoop.jobs.merge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.plan.Verb;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SeveralRequests;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.CombineKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;

/**
 * Merges datasets with different examples of the same columns into one dataset of their format.
 * Files are copied unchanged if possible.
 *
 * <pre>{@code
 * Merge.Result merged = Merge.of(List.of("run_0", "run_1"), "all", conf).run(listener);
 * }</pre>
 *
 * @param paths the paths of the datasets, in the order of the examples
 * @param destination the path to write, or below which the format writes; nothing may exist there
 * @param settings the values that the user has set for keys
 * @param conf the configuration of file systems and jobs
 */
@PublicApi
public record Merge(
    List<String> paths, String destination, SettingSource settings, @Nullable Configuration conf)
    implements Verb<Merge.Result> {
  /**
   * The result of a merge.
   *
   * @param path the path of the dataset that was written
   * @param format the name of its format
   * @param plan {@link RunPlan#COPY}, or {@link RunPlan#MAP_ONLY} if examples were rewritten
   * @param geometry its shape; null if it is not known, or if columns are not activations
   * @param examples the number of its examples; null if it is not known
   * @param files the number of data files
   * @param bytes the total length of the files that were copied; null if examples were rewritten
   */
  public record Result(
      String path,
      String format,
      String plan,
      @Nullable Geometry geometry,
      @Nullable Long examples,
      long files,
      @Nullable Long bytes) {}

  /**
   * Creates a merge with settings that do not come from the configuration.
   *
   * @hidden
   */
  @Internal
  public Merge {
    paths = List.copyOf(paths);
  }

  /**
   * Returns the values that the user has set for keys.
   *
   * @hidden
   */
  @Internal
  @Override
  public SettingSource settings() {
    return settings;
  }

  /** Returns a merge with the settings that a configuration contains (docs/configuration.md). */
  public static Merge of(List<String> paths, String destination, @Nullable Configuration conf) {
    return new Merge(paths, destination, SettingSource.CONFIGURATION, conf);
  }

  /**
   * Returns the keys that have an effect on the output.
   *
   * @hidden
   */
  @Internal
  public static List<SettingKey<?>> writingKeys() {
    List<SettingKey<?>> keys = new ArrayList<>(MergeKeys.writing());
    keys.addAll(MergeKeys.safety());
    keys.addAll(MergeKeys.several());
    return keys;
  }

  /**
   * @hidden
   */
  @Internal
  @Override
  public List<SourceRequest> sources(JobRunner runner) throws IOException {
    checkDestination(runner);
    List<FormatException> failures = new ArrayList<>();
    List<SourceRequest> found = SourceRequest.find(paths, settings, failures, runner);
    if (!failures.isEmpty()) {
      new MergeConflicts(several(found, runner), runner.path(destination), runner).check(failures);
    }
    return found;
  }

  private SeveralRequests several(List<SourceRequest> sources, JobRunner runner) {
    Settings combine = settings.settings(runner.configured(), CombineKeys.all());
    return new SeveralRequests(
        sources, combine.get(CombineKeys.COMBINE).orElse(null), combine.get(CombineKeys.RENUMBER));
  }

  /**
   * Checks that the destination does not exist: if the user omits the destination, the last source
   * is taken as the destination.
   *
   * @throws FormatException if the path exists
   * @hidden
   */
  @Internal
  public void checkDestination(JobRunner runner) throws IOException {
    MergeDestination.check(runner.path(destination), writing(runner), runner);
  }

  private Settings writing(JobRunner runner) {
    return settings.settings(runner.configured(), writingKeys());
  }

  /**
   * {@inheritDoc} Nothing is left at the destination unless the dataset is complete.
   *
   * @hidden
   */
  @Internal
  @Override
  public PreparedMerge prepare(List<SourceRequest> sources, JobRunner runner) throws IOException {
    Settings writing = writing(runner);
    runner.share(Settings.NONE.with(OutputKeys.SYNC, writing.get(OutputKeys.SYNC)));
    return new PreparedMerge(
        sources,
        several(sources, runner),
        sources.get(0).format(),
        runner.path(destination),
        writing,
        runner);
  }
}
