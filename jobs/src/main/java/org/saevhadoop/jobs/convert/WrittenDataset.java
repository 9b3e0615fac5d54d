package org.saevhadoop.jobs.convert;

import java.io.IOException;
import org.saevhadoop.format.dataset.write.DatasetWriter;
import org.saevhadoop.format.dataset.write.DatasetWriter.Spool;
import org.saevhadoop.format.publish.run.TaskFiles;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.LocalOutput;
import org.saevhadoop.jobs.task.TaskAttempt;
import org.saevhadoop.jobs.task.WritingAttempt;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.output.DatasetCompletion;
import org.saevhadoop.mapreduce.output.OutputLocation;

/**
 * The dataset of a conversion as threads of this process write it in the folder of a run.
 *
 * @param anyOrder whether blocks may be written in any order
 * @param runs whether records are runs of blocks
 */
record WrittenDataset(
    OutputLocation location, DatasetCompletion completion, boolean anyOrder, boolean runs)
    implements LocalOutput<FinishedJob> {
  private TaskFiles files() {
    return location.files(completion.storage(), completion::dataFiles);
  }

  @Override
  public void begin() throws IOException {
    location.checkRun(completion.storage());
    files().begin();
  }

  @Override
  public TaskAttempt attempt(int task) {
    return new Attempt("task_%06d".formatted(task));
  }

  @Override
  public void commit() throws IOException {
    location.checkRun(completion.storage());
    files().end();
    completion.run();
  }

  @Override
  public void abort() throws IOException {
    files().end();
  }

  @Override
  public FinishedJob result(FinishedJob finished) {
    return finished;
  }

  @Override
  public DatasetCounter counter() {
    return DatasetCounter.BYTES_WRITTEN;
  }

  private final class Attempt extends WritingAttempt {
    private final String name;

    Attempt(String name) {
      this.name = name;
    }

    @Override
    protected DatasetWriter open(Counting count) throws IOException {
      StoragePath folder = files().folder(name);
      boolean forced = location.spec().isForced(folder.isLocal());
      return new DatasetWriter(
          () -> completion.storage().createWithin(location.ownRun(), folder),
          count.of(folder.folder(forced, location.spec().isCompared())),
          completion.writes().get(),
          anyOrder ? Spool.TRUE : location.spec().spool(),
          runs,
          completion.scratch().folder());
    }

    @Override
    public void commit() throws IOException {
      if (files().isWritten(name)) {
        location.checkRun(completion.storage());
        files().commit(name, () -> {});
      }
    }

    @Override
    public void abort() throws IOException {
      files().abort(name);
    }
  }
}
