package org.saevhadoop.jobs.task;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.input.RecordCursor;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ExampleRange;
import org.saevhadoop.mapreduce.job.InputSpec;

/** A task that reads the records of some examples from an open source. */
public final class ExampleTask extends LocalTask implements TaskInput {
  private final Settings settings;
  private final JobInput source;
  private final @Nullable JobInput second;
  private final ExampleRange range;
  private final Io.Function<String, StoragePath> paths;
  private volatile long bytesRead;

  /**
   * Null before the task runs and after it has ended, because the cursor holds buffers and many
   * tasks can be waiting.
   */
  private @Nullable RecordCursor cursor;

  /**
   * Creates a task.
   *
   * @param bytes the number of bytes that the task reads
   * @param paths returns the path that a qualified string denotes
   * @param attempts returns the attempt of the task when the task begins
   */
  public ExampleTask(
      Settings settings,
      JobInput source,
      @Nullable JobInput second,
      ExampleRange range,
      long bytes,
      Io.Function<String, StoragePath> paths,
      Io.Supplier<TaskAttempt> attempts) {
    super(bytes, attempts);
    this.settings = settings;
    this.source = source;
    this.second = second;
    this.range = range;
    this.paths = paths;
  }

  @Override
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  Counts run(TaskAttempt attempt) throws IOException, InterruptedException {
    try (RecordCursor opened =
        new RecordCursor(
            source.part(),
            spec(),
            settings.get(ConversionKeys.RUNS),
            settings.get(ConversionKeys.WINDOWS),
            range.first(),
            range.count())) {
      cursor = opened;
      attempt.run(this);
      bytesRead = opened.bytesRead();
      return new Counts(
          bytesRead, opened.examplesRead(), opened.blocksRead(), attempt.bytes(), opened.changes());
    } finally {
      cursor = null;
    }
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
  public StoragePath path(String qualified) throws IOException {
    return paths.apply(qualified);
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
