package org.saevhadoop.mapreduce.publish;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.StoppedJvm;
import org.saevhadoop.mapreduce.publish.storage.RunStorage;
import org.saevhadoop.mapreduce.publish.storage.RunStorage.Entry;
import org.saevhadoop.mapreduce.publish.storage.RunStorage.EntryKind;

/**
 * Commits the files of a task by renaming each into a folder that belongs to one run. Any attempt
 * of a task writes the same bytes under the same names, so a file that an earlier attempt has
 * committed is replaced, atomically, by its equal. Nothing is left for job commit to move: a later
 * application master, or a later run, finds the committed files where they are. The folder must be
 * invisible to readers until the job is committed.
 */
public final class RenamingCommitter extends PathOutputCommitter {
  private final Path target;
  private final Path work;
  private final FunctionRaisingIOE<Set<String>, Set<String>> last;
  private final RunStorage storage;
  private final TaskAttemptContext context;

  /**
   * Creates a committer.
   *
   * @param target the folder for committed files
   * @param work the folder in which each attempt of a task has a folder of its own
   * @param last returns, of the names of all files of a task, those that are renamed after all
   *     others: where one of them is in the folder, its companions are too
   */
  public RenamingCommitter(
      Path target,
      Path work,
      FunctionRaisingIOE<Set<String>, Set<String>> last,
      TaskAttemptContext context)
      throws IOException {
    super(target, context);
    this.target = target;
    this.work = work;
    this.last = last;
    this.storage = RunStorage.of(target, context.getConfiguration());
    this.context = context;
  }

  @Override
  public Path getOutputPath() {
    return target;
  }

  @Override
  public Path getWorkPath() {
    return attempt(context);
  }

  private Path attempt(TaskAttemptContext task) {
    return new Path(work, task.getTaskAttemptID().toString());
  }

  /** Creates the folders that do not exist; those that exist may be of an earlier attempt. */
  @Override
  public void setupJob(JobContext job) throws IOException {
    StoppedJvm.unlessStopping(
        () -> {
          storage.createFolder(target);
          storage.createFolder(work);
        });
  }

  @Override
  public void setupTask(TaskAttemptContext task) {
    // the record writer creates the folder of the task before its first file
  }

  @Override
  public boolean needsTaskCommit(TaskAttemptContext task) throws IOException {
    return storage.kind(attempt(task)) != EntryKind.ABSENT;
  }

  @Override
  public void commitTask(TaskAttemptContext task) throws IOException {
    Path attempt = attempt(task);
    Set<String> names = new HashSet<>();
    for (Entry entry : storage.list(attempt)) {
      names.add(entry.name());
    }
    Set<String> vouching = last.apply(names);
    List<String> ordered = new ArrayList<>(names);
    ordered.sort((a, b) -> Boolean.compare(vouching.contains(a), vouching.contains(b)));
    for (String name : ordered) {
      storage.replace(PathArgument.child(attempt, name), PathArgument.child(target, name));
      task.progress();
    }
    storage.delete(attempt);
  }

  @Override
  public void abortTask(TaskAttemptContext task) throws IOException {
    storage.delete(attempt(task));
  }

  @Override
  public void commitJob(JobContext job) throws IOException {
    storage.delete(work);
  }

  /** Removes the files of tasks that were not committed, and leaves those that were. */
  @Override
  public void abortJob(JobContext job, JobStatus.State state) throws IOException {
    storage.delete(work);
  }

  @Override
  public boolean isRecoverySupported(JobContext job) {
    return true;
  }

  /** Does nothing, as the files of a committed task are in their folder. */
  @Override
  public void recoverTask(TaskAttemptContext task) {}

  @Override
  public boolean isCommitJobRepeatable(JobContext job) {
    return true;
  }

  @Override
  public String toString() {
    return "RenamingCommitter to " + target;
  }
}
