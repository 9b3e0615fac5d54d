package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.task.SpooledRecords;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.mapreduce.input.RecordCursor;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ExampleRange;
import org.saevhadoop.mapreduce.job.InputSpec;

/** A task of {@link LocalTasks}: the records of a range of examples of an open source. */
final class LocalTask implements TaskInput, Callable<Void> {
  private final DatasetJob<?> job;
  private final ExampleRange range;
  private final long bytes;
  private final SpooledRecords records;
  private final RecordCursor cursor;
  private volatile long bytesRead;
  private @Nullable ConversionChanges changes;

  /**
   * Creates a task.
   *
   * @param bytes the number of bytes that it reads
   */
  LocalTask(DatasetJob<?> job, ExampleRange range, long bytes, SpooledRecords records)
      throws IOException {
    this.job = job;
    this.range = range;
    this.bytes = bytes;
    this.records = records;
    this.cursor =
        new RecordCursor(
            dataset(),
            spec(),
            job.settings().get(ConversionKeys.RUNS),
            job.settings().get(ConversionKeys.WINDOWS),
            range.first(),
            range.count());
  }

  long bytes() {
    return bytes;
  }

  /** Returns the number of bytes that were read so far. */
  long bytesRead() {
    return bytesRead;
  }

  SpooledRecords records() {
    return records;
  }

  RecordCursor cursor() {
    return cursor;
  }

  /** Returns how values were changed, after the task has ended. */
  ConversionChanges changes() {
    return Objects.requireNonNull(changes);
  }

  @Override
  public @Nullable Void call() throws IOException, InterruptedException {
    try (cursor) {
      Task.of(Objects.requireNonNull(job.task())).run(this, records);
      changes = cursor.changes();
      bytesRead = cursor.bytesRead();
    }
    return null;
  }

  @Override
  public <T> T get(SettingKey<T> key) {
    return job.settings().get(key);
  }

  @Override
  public InputSpec spec() {
    return Objects.requireNonNull(job.inputs().get(0).spec());
  }

  @Override
  public TableDataset dataset() throws IOException {
    return part(job.inputs().get(0));
  }

  @Override
  public TableDataset second() throws IOException {
    return part(Objects.requireNonNull(job.second()));
  }

  /** Returns the part of a source that a job reads. */
  static TableDataset part(JobInput input) throws IOException {
    TableDataset whole = Objects.requireNonNull(input.dataset());
    return Objects.requireNonNull(input.spec()).projection().resolve(whole).of(whole);
  }

  @Override
  public long first() {
    return range.first();
  }

  @Override
  public long count() {
    return range.count();
  }

  @Override
  public boolean next() throws IOException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    boolean more = cursor.next();
    bytesRead = cursor.bytesRead();
    return more;
  }

  @Override
  public long example() {
    return cursor.example();
  }

  @Override
  public int column() {
    return cursor.column();
  }

  @Override
  public DType dtype() {
    return cursor.dtype();
  }

  @Override
  public int[] shape() {
    return cursor.shape();
  }

  @Override
  public ByteBuffer values() {
    return cursor.bytes();
  }
}
