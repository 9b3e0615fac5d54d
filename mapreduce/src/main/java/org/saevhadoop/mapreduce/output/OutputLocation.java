package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.job.OutputSpec;
import org.saevhadoop.mapreduce.publish.HadoopRunStorage;

/**
 * Where a job writes.
 *
 * @param spec the output of the job
 * @param folder the folder that receives its files; null if a job without a run has none
 * @param run the folder of the run to which the job belongs; null for a job that is not part of a
 *     conversion
 */
record OutputLocation(OutputSpec spec, @Nullable StoragePath folder, @Nullable StoragePath run) {
  /**
   * Returns the location that a configuration specifies. The path of a conversion is not passed as
   * the output path of the job, in which Hadoop would expand variables.
   *
   * @param output the output path of the job, for a job that is not part of a conversion
   */
  static OutputLocation of(Configuration conf, @Nullable Path output) throws IOException {
    OutputSpec spec = OutputSpec.fromConf(conf, List.of());
    if (spec.run() == null) {
      return new OutputLocation(spec, output == null ? null : HadoopPath.of(output, conf), null);
    }
    StoragePath published = HadoopPath.parse(spec.publish(), conf);
    StoragePath run = RunPaths.of(published);
    return new OutputLocation(spec, spec.isDirect() ? published : RunPaths.data(run), run);
  }

  /** Returns the folder that receives the files of the job, which must have one. */
  StoragePath data() {
    return Objects.requireNonNull(folder);
  }

  /** Returns the folder of the run of a job that is part of a conversion. */
  StoragePath ownRun() {
    return Objects.requireNonNull(run);
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
   * Checks that the folder in which a conversion writes still belongs to its run. Another run may
   * take the folder over while no client and no application of the run exists.
   */
  void checkRun(Configuration conf) throws IOException {
    if (isRun()) {
      RunFolder.checkOwner(ownRun(), spec.run(), HadoopRunStorage.of(ownRun(), conf));
    }
  }
}
