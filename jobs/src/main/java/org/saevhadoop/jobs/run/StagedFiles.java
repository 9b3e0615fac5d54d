package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.publish.run.TaskFiles;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.jobs.task.SpooledRecords;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskAttempt;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.jobs.task.WorkItem;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.staging.SideFiles;

/**
 * Files that tasks write in a folder of stages. The files of tasks that were committed stay there,
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
  public @Nullable LocalOutput<FinishedJob> local(
      @Nullable Class<? extends Task> task, SpooledRecords.Scratch scratch) {
    return !folder.isLocal() ? null : new Local(TaskFiles.staged(storage, folder), task, forced);
  }

  private record Local(TaskFiles files, @Nullable Class<? extends Task> task, boolean forced)
      implements LocalOutput<FinishedJob> {
    @Override
    public void begin() throws IOException {
      files.begin();
    }

    @Override
    public TaskAttempt attempt(int number) {
      return new Attempt(files, "task_%06d".formatted(number), task, forced);
    }

    @Override
    public void commit() throws IOException {
      files.end();
    }

    @Override
    public void abort() throws IOException {
      files.end();
    }

    @Override
    public FinishedJob result(FinishedJob finished) {
      return finished;
    }

    @Override
    public DatasetCounter counter() {
      return DatasetCounter.BYTES_WRITTEN;
    }
  }

  private static final class Attempt implements TaskAttempt, TaskOutput {
    private final TaskFiles files;
    private final String name;
    private final @Nullable Class<? extends Task> task;
    private final boolean forced;
    private final AtomicLong bytes = new AtomicLong();

    Attempt(TaskFiles files, String name, @Nullable Class<? extends Task> task, boolean forced) {
      this.files = files;
      this.name = name;
      this.task = task;
      this.forced = forced;
    }

    @Override
    public void run(TaskInput input) throws IOException, InterruptedException {
      Task.of(Objects.requireNonNull(task)).run(input, this);
    }

    @Override
    public ConversionChanges run(WorkItem item, ByteMeter read)
        throws IOException, InterruptedException {
      return item.run(read, this);
    }

    @Override
    public void write(long key, byte[] record, int length) {
      throw new UnsupportedOperationException("a task that stages files hands over no records");
    }

    @Override
    public Folder folder() throws IOException {
      StoragePath own = files.folder(name);
      files.storage().createWithin(files.target(), own);
      return own.folder(forced, false);
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
