package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.normalize.Normalization;
import org.saevhadoop.format.normalize.StatisticsFile;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.InputSpec;

/** The statistics file with which Hadoop tasks normalize their input. */
final class NormalizedInput {
  private NormalizedInput() {}

  /** Obtains tokens for the file, if there is one. */
  static void obtainTokens(InputSpec spec, JobContext job) throws IOException {
    Normalization known = spec.dtypes().normalization();
    if (known != null) {
      StorageTokens.obtain(job, new Path(known.path()));
    }
  }

  /**
   * Reads the file, if there is one, and returns the input of a task.
   *
   * @throws FormatException if the file has changed since the job was planned
   */
  static InputSpec read(InputSpec spec, TaskAttemptContext task) throws IOException {
    Normalization known = spec.dtypes().normalization();
    if (known == null) {
      return spec;
    }
    HadoopStorage storage = new HadoopStorage(task.getConfiguration());
    Normalization read =
        StatisticsFile.readAgain(
            known,
            storage.locateChecked(new Path(known.path())),
            DatasetFormats.registry().vectorTensors());
    return spec.with(spec.dtypes().with(read));
  }
}
