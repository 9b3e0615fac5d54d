package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.publish.run.JobFiles;
import org.saevhadoop.format.publish.run.TaskFiles;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.task.OutputAttempt;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskAttempt;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.mapreduce.staging.SideFiles;

/**
 * Files that tasks write to the folder of a stage. The files of committed tasks stay in the folder,
 * whether or not the job succeeds.
 *
 * @param folder the folder, which exists
 * @param forced whether files are forced to the disk
 */
public record StagedFiles(StoragePath folder, RunStorage storage, boolean forced)
    implements JobOutput.OfFiles {
  @Override
  public void prepare(Job job, @Nullable Path temporary) {
    SideFiles.setOutput(job, folder);
  }

  @Override
  public LocalOutput<FinishedJob> local(@Nullable Class<? extends Task> task, JobRunner runner)
      throws IOException {
    TaskFiles files = TaskFiles.staged(storage, folder);
    return new Local(storage.hasFolders() ? files : runner.committed(files), task);
  }

  private final class Local extends FilesOutput {
    private final @Nullable Class<? extends Task> task;

    Local(JobFiles files, @Nullable Class<? extends Task> task) {
      super(files);
      this.task = task;
    }

    @Override
    protected TaskAttempt attempt(String name) {
      return new Attempt(files(), name, task);
    }
  }

  private final class Attempt extends OutputAttempt implements TaskOutput {
    private final JobFiles files;
    private final String name;
    private final AtomicLong bytes = new AtomicLong();

    Attempt(JobFiles files, String name, @Nullable Class<? extends Task> task) {
      super(task);
      this.files = files;
      this.name = name;
    }

    @Override
    protected TaskOutput output() {
      return this;
    }

    @Override
    public void write(long key, byte[] record, int length) {
      throw new UnsupportedOperationException("a task that stages files hands over no records");
    }

    @Override
    public Folder folder() throws IOException {
      files.create(name);
      return files.folder(name).folder(forced, false);
    }

    @Override
    public void written(long count) {
      bytes.addAndGet(count);
    }

    @Override
    public long bytes() {
      return bytes.get();
    }

    @Override
    public void commit() throws IOException {
      if (files.isWritten(name)) {
        files.commit(name, () -> {});
      }
    }

    @Override
    public void abort() throws IOException {
      files.abort(name);
    }
  }
}
