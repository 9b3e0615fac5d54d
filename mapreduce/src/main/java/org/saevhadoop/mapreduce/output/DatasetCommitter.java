package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.job.OutputSpec;
import org.saevhadoop.mapreduce.publish.DatasetPublication;
import org.saevhadoop.mapreduce.publish.RenamingCommitter;
import org.saevhadoop.mapreduce.publish.RunFolder;
import org.saevhadoop.mapreduce.publish.RunPaths;

/**
 * Commits the files of a job and makes them a dataset, by {@link DatasetCompletion}. In the folder
 * of a run, files are committed by a {@link RenamingCommitter}, unless the storage has a committer
 * of its own; other jobs use that of the storage, by default Hadoop's.
 */
public final class DatasetCommitter extends PathOutputCommitter {
  private final Path output;
  private final PathOutputCommitter files;
  private final ActivationOutputFormat format;

  private DatasetCommitter(
      Path output,
      TaskAttemptContext context,
      PathOutputCommitter files,
      ActivationOutputFormat format)
      throws IOException {
    super(output, context);
    this.output = output;
    this.files = files;
    this.format = format;
  }

  static DatasetCommitter create(
      Path output, TaskAttemptContext context, ActivationOutputFormat format) throws IOException {
    TaskAttemptContext safe =
        new TaskAttemptContextImpl(safely(context.getConfiguration()), context.getTaskAttemptID());
    PathOutputCommitter files =
        PathOutputCommitterFactory.getCommitterFactory(output, safe.getConfiguration())
            .createOutputCommitter(output, safe);
    if (files instanceof FileOutputCommitter && spec(context.getConfiguration()).run() != null) {
      Configuration conf = context.getConfiguration();
      DatasetCompletion completion = new DatasetCompletion(output, format, conf);
      if (RunFolder.hasFolders(output, conf)) {
        Path work = RunPaths.work(output.getParent());
        files = new RenamingCommitter(output, work, completion::dataFiles, context);
      }
    }
    return new DatasetCommitter(output, context, files, format);
  }

  /** Returns the folder that must exist before the folder of a task is created. */
  Path root(Configuration conf) {
    return spec(conf).run() == null ? output : output.getParent();
  }

  @Override
  public Path getOutputPath() {
    return output;
  }

  @Override
  public Path getWorkPath() throws IOException {
    return files.getWorkPath();
  }

  @Override
  public void setupJob(JobContext job) throws IOException {
    checkRun(job.getConfiguration());
    if (!completion(job).isDone()) { // an earlier application master may have died in its commit
      files.setupJob(safely(job));
    }
  }

  /**
   * Checks that the folder in which a conversion writes still belongs to its run. Another run may
   * take the folder over while no client and no application of the run exists.
   */
  private void checkRun(Configuration conf) throws IOException {
    OutputSpec spec = spec(conf);
    if (spec.run() != null) {
      RunFolder.checkOwner(output.getParent(), spec.run(), conf);
    }
  }

  @Override
  public void commitJob(JobContext job) throws IOException {
    checkRun(job.getConfiguration());
    files.commitJob(safely(job));
    completion(job).run();
  }

  private DatasetCompletion completion(JobContext job) {
    return new DatasetCompletion(output, format, job.getConfiguration());
  }

  @Override
  public void abortJob(JobContext job, JobStatus.State state) throws IOException {
    if (AbortGuard.isEndOfJvm()) {
      return;
    }
    files.abortJob(safely(job), state);
    Configuration conf = job.getConfiguration();
    if (spec(conf).publish() != null && !(files instanceof RenamingCommitter)) {
      output.getFileSystem(conf).delete(output, true);
    }
  }

  @Override
  public void setupTask(TaskAttemptContext task) throws IOException {
    files.setupTask(task);
  }

  @Override
  public boolean needsTaskCommit(TaskAttemptContext task) throws IOException {
    return files.needsTaskCommit(task);
  }

  @Override
  public void commitTask(TaskAttemptContext task) throws IOException {
    checkRun(task.getConfiguration());
    files.commitTask(task);
  }

  @Override
  public void abortTask(TaskAttemptContext task) throws IOException {
    files.abortTask(task);
  }

  @Override
  public boolean isRecoverySupported(JobContext job) throws IOException {
    return files.isRecoverySupported(safely(job));
  }

  /** Returns whether a later application master may repeat a commit that did not end. */
  @Override
  public boolean isCommitJobRepeatable(JobContext job) throws IOException {
    return files.isCommitJobRepeatable(safely(job));
  }

  @Override
  public void recoverTask(TaskAttemptContext task) throws IOException {
    files.recoverTask(task);
  }

  @Override
  public String toString() {
    return "DatasetCommitter over " + files;
  }

  private static OutputSpec spec(Configuration conf) {
    return OutputSpec.fromConf(conf, List.of());
  }

  /**
   * Checks that nothing exists at the path at which the dataset is published, unless it is
   * replaced.
   *
   * @throws FormatException if something exists there
   */
  static void checkPlace(Configuration conf) throws IOException {
    OutputSpec spec = spec(conf);
    if (spec.publish() != null) {
      DatasetPublication.checkFree(published(spec, conf), spec.replace(), conf);
    }
  }

  private static Path published(OutputSpec spec, Configuration conf) throws IOException {
    return PathArgument.parse(spec.publish(), conf);
  }

  private static JobContext safely(JobContext job) {
    return new JobContextImpl(safely(job.getConfiguration()), job.getJobID());
  }

  /**
   * Returns a configuration with algorithm 1 of Hadoop's file committer, because algorithm 2, the
   * default of {@code mapreduce.fileoutputcommitter.algorithm.version} in Hadoop 3.4, publishes
   * files of jobs that fail later; and without _SUCCESS unless the user requests it.
   */
  private static Configuration safely(Configuration conf) {
    Configuration safe = new Configuration(conf);
    safe.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    safe.setBooleanIfUnset(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    return safe;
  }
}
