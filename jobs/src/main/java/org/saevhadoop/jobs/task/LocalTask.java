package org.saevhadoop.jobs.task;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.input.RecordCursor;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ExampleRange;
import org.saevhadoop.mapreduce.job.InputSpec;

/** A task that a thread of this process runs: the records of some examples of an open source. */
public final class LocalTask implements TaskInput, Callable<Void> {
  private final Class<? extends Task> task;
  private final Settings settings;
  private final JobInput source;
  private final @Nullable JobInput second;
  private final ExampleRange range;
  private final long bytes;
  private final SpooledRecords records;
  private volatile long bytesRead;

  /**
   * Null before the task runs and after it has ended: many tasks may wait, and each has buffers.
   */
  private @Nullable RecordCursor cursor;

  private @Nullable Counts counts;

  /** What a task has read, and how values were changed. */
  public record Counts(long bytes, long examples, long blocks, ConversionChanges changes) {}

  /**
   * Creates a task.
   *
   * @param bytes the number of bytes that it reads
   * @param records takes what it hands over
   */
  public LocalTask(
      Class<? extends Task> task,
      Settings settings,
      JobInput source,
      @Nullable JobInput second,
      ExampleRange range,
      long bytes,
      SpooledRecords records) {
    this.task = task;
    this.settings = settings;
    this.source = source;
    this.second = second;
    this.range = range;
    this.bytes = bytes;
    this.records = records;
  }

  /** Returns the number of bytes that it reads. */
  public long bytes() {
    return bytes;
  }

  /** Returns the number of bytes that were read so far. */
  public long bytesRead() {
    return bytesRead;
  }

  /** Returns what it has handed over. */
  public SpooledRecords records() {
    return records;
  }

  /** Returns what it has read, after it has ended. */
  public Counts counts() {
    return Objects.requireNonNull(counts);
  }

  @Override
  public @Nullable Void call() throws IOException, InterruptedException {
    try (RecordCursor opened =
        new RecordCursor(
            source.part(),
            spec(),
            settings.get(ConversionKeys.RUNS),
            settings.get(ConversionKeys.WINDOWS),
            range.first(),
            range.count())) {
      cursor = opened;
      Task.of(task).run(this, records);
      records.end();
      bytesRead = opened.bytesRead();
      counts = new Counts(bytesRead, opened.examplesRead(), opened.blocksRead(), opened.changes());
    } finally {
      cursor = null;
    }
    return null;
  }

  private RecordCursor cursor() {
    return Objects.requireNonNull(cursor);
  }

  @Override
  public <T> T get(SettingKey<T> key) {
    return settings.get(key);
  }

  @Override
  public InputSpec spec() {
    return Objects.requireNonNull(source.spec());
  }

  @Override
  public TableDataset dataset() throws IOException {
    return source.part();
  }

  @Override
  public TableDataset second() throws IOException {
    return Objects.requireNonNull(second).part();
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
    boolean more = cursor().next();
    bytesRead = cursor().bytesRead();
    return more;
  }

  @Override
  public long example() {
    return cursor().example();
  }

  @Override
  public int column() {
    return cursor().column();
  }

  @Override
  public DType dtype() {
    return cursor().dtype();
  }

  @Override
  public int[] shape() {
    return cursor().shape();
  }

  @Override
  public ByteBuffer values() {
    return cursor().bytes();
  }
}
