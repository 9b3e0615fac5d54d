package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.publish.run.TaskFiles;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.job.OutputSpec;

/**
 * The location to which a job writes.
 *
 * @param spec the output of the job
 * @param folder the folder that receives its files; null if a job without a run has no such folder
 * @param run the folder of the run to which the job belongs; null for a job that is not part of a
 *     conversion
 * @param published the path at which the dataset is published; null if it stays in its folder
 */
public record OutputLocation(
    OutputSpec spec,
    @Nullable StoragePath folder,
    @Nullable StoragePath run,
    @Nullable StoragePath published) {
  /**
   * Returns the location of a conversion that writes in the folder of its run.
   *
   * @param spec the output of the conversion
   * @param run the folder of the run
   * @param id the id of the run
   */
  public static OutputLocation of(
      OutputSpec spec, StoragePath run, String id, StoragePath published) {
    Settings settings = spec.settings().with(OutputKeys.RUN, id);
    OutputSpec own = new OutputSpec(spec.format(), spec.carried(), settings);
    return new OutputLocation(own, data(own, run, published), run, published);
  }

  private static StoragePath data(OutputSpec spec, StoragePath run, StoragePath published) {
    return spec.isDirect() ? published : RunPaths.data(run);
  }

  /**
   * Returns the location that a configuration specifies. The path of a conversion is not passed as
   * the output path of the job, in which Hadoop would expand variables.
   *
   * @param output the output path of the job, for a job that is not part of a conversion
   */
  static OutputLocation of(Configuration conf, @Nullable Path output) throws IOException {
    OutputSpec spec = OutputSpec.fromConf(conf, List.of());
    StoragePath published = spec.publish() == null ? null : HadoopPath.parse(spec.publish(), conf);
    if (spec.run() == null || published == null) {
      StoragePath folder = output == null ? null : HadoopPath.of(output, conf);
      return new OutputLocation(spec, folder, null, published);
    }
    StoragePath run = RunPaths.of(published);
    return new OutputLocation(spec, data(spec, run, published), run, published);
  }

  /** Returns the folder that receives the files of the job; the job must have one. */
  public StoragePath data() {
    return Objects.requireNonNull(folder);
  }

  /** Returns the folder of the run of a job that is part of a conversion. */
  public StoragePath ownRun() {
    return Objects.requireNonNull(run);
  }

  /**
   * Returns the files of the tasks of a conversion.
   *
   * @param last returns the files that are committed after all others
   */
  public TaskFiles files(RunStorage storage, Io.Function<Set<String>, Set<String>> last) {
    return new TaskFiles(storage, data(), RunPaths.work(ownRun()), last);
  }

  /**
   * Commits the files of the job and makes them a dataset. If a signal ends the run, files at the
   * path of the dataset are removed either before or after the commit, but not during it.
   */
  public void commit(Io.Action files, DatasetCompletion completion) throws IOException {
    checkRun(completion.storage());
    if (spec.isDirect()) {
      synchronized (RunFolder.class) {
        files.run();
        completion.run();
      }
    } else {
      files.run();
      completion.run();
    }
  }

  /**
   * Deletes the files of a failed job, after the uncommitted files of its tasks.
   *
   * @param staysCommitted whether a later run continues with the files of committed tasks
   */
  public void discard(RunStorage storage, boolean staysCommitted) throws IOException {
    if (spec.isDirect()) {
      RunFolder.clear(ownRun(), spec.run(), storage);
    } else if (spec.publish() != null && !staysCommitted) {
      storage.delete(data());
    }
  }

  /** Returns whether the job is part of a conversion. */
  boolean isRun() {
    return run != null;
  }

  /** Returns the folder that must exist before the folder of a task is created. */
  StoragePath root() {
    return run != null ? run : data();
  }

  /**
   * Checks that the folder to which a conversion writes still belongs to its run. Another run may
   * take over the folder while neither a client nor an application of the run exists.
   */
  public void checkRun(RunStorage storage) throws IOException {
    if (isRun()) {
      RunFolder.checkOwner(ownRun(), spec.run(), storage);
    }
  }
}
