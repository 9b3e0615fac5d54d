package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.publish.run.JobFiles;
import org.saevhadoop.format.publish.run.TaskFiles;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.publish.HadoopRunStorage;

/** The files of tasks in this process, committed by Hadoop's committer for their storage. */
public final class CommitterFiles implements JobFiles {
  private final TaskFiles renamed;
  private final JobContext job;
  private final PathOutputCommitter committer;
  private final Map<String, Attempt> attempts = new HashMap<>();

  private record Attempt(PathOutputCommitter committer, TaskAttemptContext context) {}

  private CommitterFiles(TaskFiles renamed, Configuration conf) throws IOException {
    this.renamed = renamed;
    JobID id = new JobID("local" + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE), 1);
    job = new JobContextImpl(CommitterSettings.of(conf), id);
    committer = create(context(0));
  }

  /**
   * Returns the files of tasks in a folder: the given files, unless the storage does not have
   * folders or has its own committer.
   *
   * @param renamed the files of tasks in the same folder, renamed when their task is committed
   */
  public static JobFiles of(TaskFiles renamed, Configuration conf) throws IOException {
    CommitterFiles files = new CommitterFiles(renamed, conf);
    boolean isPlain = files.committer instanceof FileOutputCommitter;
    return isPlain && renamed.storage().hasFolders() ? renamed : files;
  }

  private PathOutputCommitter create(TaskAttemptContext task) throws IOException {
    Path path = HadoopPath.hadoop(renamed.target());
    return PathOutputCommitterFactory.getCommitterFactory(path, task.getConfiguration())
        .createOutputCommitter(path, task);
  }

  private TaskAttemptContext context(int task) {
    return new TaskAttemptContextImpl(
        job.getConfiguration(),
        new TaskAttemptID(new TaskID(job.getJobID(), TaskType.MAP, task), 0));
  }

  /** Returns an attempt, which begins when it is first requested. */
  private synchronized Attempt begun(String name) throws IOException {
    Attempt known = attempts.get(name);
    if (known == null) {
      TaskAttemptContext task = context(attempts.size());
      known = new Attempt(create(task), task);
      known.committer.setupTask(task);
      attempts.put(name, known);
    }
    return known;
  }

  /** Returns an attempt; null if the attempt has not begun. */
  private synchronized @Nullable Attempt attempt(String name) {
    return attempts.get(name);
  }

  @Override
  public void begin() throws IOException {
    committer.setupJob(job);
  }

  @Override
  public StoragePath folder(String attempt) throws IOException {
    Path work = Objects.requireNonNull(begun(attempt).committer.getWorkPath());
    return HadoopPath.of(work, job.getConfiguration());
  }

  @Override
  public void create(String attempt) throws IOException {
    HadoopRunStorage.createWithin(
        renamed.work().folderAbove(), folder(attempt), job.getConfiguration());
  }

  @Override
  public boolean isWritten(String attempt) throws IOException {
    Attempt known = attempt(attempt);
    return known != null && known.committer.needsTaskCommit(known.context);
  }

  @Override
  public void commit(String attempt, Runnable progress) throws IOException {
    Attempt written = begun(attempt);
    written.committer.commitTask(written.context);
  }

  @Override
  public void abort(String attempt) throws IOException {
    Attempt known = attempt(attempt);
    if (known != null) {
      known.committer.abortTask(known.context);
    }
  }

  @Override
  public void end() throws IOException {
    committer.commitJob(job);
  }

  @Override
  public void discard() throws IOException {
    committer.abortJob(job, JobStatus.State.FAILED);
  }
}
