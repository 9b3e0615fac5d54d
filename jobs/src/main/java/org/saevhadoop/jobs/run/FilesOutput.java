package org.saevhadoop.jobs.run;

import java.io.IOException;
import org.saevhadoop.format.publish.run.JobFiles;
import org.saevhadoop.jobs.task.TaskAttempt;
import org.saevhadoop.mapreduce.io.DatasetCounter;

/** Files that threads of this process write and commit with their task. */
public abstract class FilesOutput implements LocalOutput<FinishedJob> {
  private final JobFiles files;

  protected FilesOutput(JobFiles files) {
    this.files = files;
  }

  protected final JobFiles files() {
    return files;
  }

  /**
   * Returns the only attempt of a task.
   *
   * @param name the name by which {@link JobFiles} identifies the task
   */
  protected abstract TaskAttempt attempt(String name);

  @Override
  public final TaskAttempt attempt(int task) {
    return attempt("task_%06d".formatted(task));
  }

  @Override
  public void begin() throws IOException {
    files.begin();
  }

  @Override
  public void commit() throws IOException {
    files.end();
  }

  @Override
  public void abort() throws IOException {
    files.discard();
  }

  @Override
  public final FinishedJob result(FinishedJob finished) {
    return finished;
  }

  @Override
  public final DatasetCounter counter() {
    return DatasetCounter.BYTES_WRITTEN;
  }
}
