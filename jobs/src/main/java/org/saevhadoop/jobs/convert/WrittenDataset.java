package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.function.UnaryOperator;
import org.saevhadoop.format.dataset.write.DatasetWriter;
import org.saevhadoop.format.dataset.write.DatasetWriter.Spool;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.publish.run.JobFiles;
import org.saevhadoop.format.publish.run.TaskFiles;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.FilesOutput;
import org.saevhadoop.jobs.task.TaskAttempt;
import org.saevhadoop.jobs.task.WritingAttempt;
import org.saevhadoop.mapreduce.output.DatasetCompletion;
import org.saevhadoop.mapreduce.output.OutputLocation;

/** The dataset that threads of this process write for a conversion in the folder of a run. */
final class WrittenDataset extends FilesOutput {
  private final DatasetCompletion completion;
  private final boolean anyOrder;
  private final boolean runs;

  /**
   * Creates the output.
   *
   * @param anyOrder whether blocks may be written in any order
   * @param runs whether records are runs of blocks
   */
  WrittenDataset(JobFiles files, DatasetCompletion completion, boolean anyOrder, boolean runs) {
    super(files);
    this.completion = completion;
    this.anyOrder = anyOrder;
    this.runs = runs;
  }

  private OutputLocation location() {
    return completion.location();
  }

  @Override
  public void begin() throws IOException {
    location().checkRun(completion.storage());
    super.begin();
  }

  @Override
  protected TaskAttempt attempt(String name) {
    return new Attempt(name);
  }

  @Override
  public void commit() throws IOException {
    location().commit(files()::end, completion);
  }

  @Override
  public void abort() throws IOException {
    super.abort();
    location().discard(completion.storage(), files() instanceof TaskFiles);
  }

  private final class Attempt extends WritingAttempt {
    private final String name;

    Attempt(String name) {
      this.name = name;
    }

    @Override
    protected DatasetWriter open(UnaryOperator<Folder> count) throws IOException {
      StoragePath folder = files().folder(name);
      boolean forced = location().spec().isForced(folder.isLocal());
      return new DatasetWriter(
          () -> files().create(name),
          count.apply(folder.folder(forced, location().spec().isCompared())),
          completion.writes().get(),
          anyOrder ? Spool.TRUE : location().spec().spool(),
          runs,
          completion.scratch().get());
    }

    @Override
    public void commit() throws IOException {
      if (files().isWritten(name)) {
        location().checkRun(completion.storage());
        files().commit(name, () -> {});
      }
    }

    @Override
    public void abort() throws IOException {
      files().abort(name);
    }
  }
}
