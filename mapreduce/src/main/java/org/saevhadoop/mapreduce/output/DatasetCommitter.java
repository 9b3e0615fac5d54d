package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.io.SpoolFolder;
import org.saevhadoop.mapreduce.publish.HadoopRunStorage;
import org.saevhadoop.mapreduce.publish.RenamingCommitter;

/**
 * Commits the files of a job and turns them into a dataset, using {@link DatasetCompletion}. In the
 * folder of a run, files are committed by a {@link RenamingCommitter}, unless the storage has a
 * committer of its own; other jobs use the committer of the storage, by default Hadoop's.
 */
final class DatasetCommitter extends AbortGuard {
  private final OutputLocation location;
  private final ActivationOutputFormat format;

  private DatasetCommitter(
      OutputLocation location,
      TaskAttemptContext context,
      PathOutputCommitter files,
      ActivationOutputFormat format)
      throws IOException {
    super(files, context);
    this.location = location;
    this.format = format;
  }

  static DatasetCommitter create(
      OutputLocation location, TaskAttemptContext context, ActivationOutputFormat format)
      throws IOException {
    Configuration conf = context.getConfiguration();
    StoragePath output = location.data();
    Path path = HadoopPath.hadoop(output);
    RunStorage storage = HadoopRunStorage.of(output, conf);
    TaskAttemptContext safe =
        new TaskAttemptContextImpl(CommitterSettings.of(conf), context.getTaskAttemptID());
    PathOutputCommitter files =
        PathOutputCommitterFactory.getCommitterFactory(path, safe.getConfiguration())
            .createOutputCommitter(path, safe);
    if (files instanceof FileOutputCommitter && location.isRun() && storage.hasFolders()) {
      DatasetCompletion completion = completion(location, format, conf);
      files = new RenamingCommitter(location.files(storage, completion::dataFiles), context);
    }
    return new DatasetCommitter(location, context, files, format);
  }

  @Override
  public Path getOutputPath() {
    return HadoopPath.hadoop(location.data());
  }

  @Override
  public void setupJob(JobContext job) throws IOException {
    location.checkRun(HadoopRunStorage.of(location.data(), job.getConfiguration()));
    if (!completion(job).isDone()) { // an earlier application master may have died in its commit
      super.setupJob(safely(job));
    }
  }

  @Override
  public void commitJob(JobContext job) throws IOException {
    location.commit(() -> super.commitJob(safely(job)), completion(job));
  }

  private DatasetCompletion completion(JobContext job) {
    return completion(location, format, job.getConfiguration());
  }

  private static DatasetCompletion completion(
      OutputLocation location, ActivationOutputFormat format, Configuration conf) {
    return new DatasetCompletion(
        location,
        () -> format.write(conf),
        HadoopRunStorage.of(location.data(), conf),
        () -> SpoolFolder.of(conf));
  }

  @Override
  public void abortJob(JobContext job, JobStatus.State state) throws IOException {
    if (isEndOfJvm()) {
      return;
    }
    try {
      abort(job, state);
    } catch (RuntimeException | FSError e) { // LocalJobRunner would never end its job
      throw new IOException("the job cannot be aborted: " + e, e);
    }
  }

  private void abort(JobContext job, JobStatus.State state) throws IOException {
    committer().abortJob(safely(job), state);
    location.discard(
        HadoopRunStorage.of(location.data(), job.getConfiguration()),
        committer() instanceof RenamingCommitter);
  }

  @Override
  public void commitTask(TaskAttemptContext task) throws IOException {
    location.checkRun(HadoopRunStorage.of(location.data(), task.getConfiguration()));
    super.commitTask(task);
  }

  @Override
  public boolean isRecoverySupported(JobContext job) throws IOException {
    return super.isRecoverySupported(safely(job));
  }

  /** Returns whether a later application master may repeat a commit that was not completed. */
  @Override
  public boolean isCommitJobRepeatable(JobContext job) throws IOException {
    return super.isCommitJobRepeatable(safely(job));
  }

  private static JobContext safely(JobContext job) {
    return new JobContextImpl(CommitterSettings.of(job.getConfiguration()), job.getJobID());
  }
}
