package org.saevhadoop.jobs.task;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.storage.Uninterrupted;
import org.saevhadoop.format.tensor.ConversionChanges;

/** A task that runs in a thread of this process, in a single attempt. */
public abstract class LocalTask implements Callable<Void> {
  private final long bytes;
  private final Io.Supplier<TaskAttempt> attempts;
  private @Nullable Counts counts;

  /**
   * The amount of data that a task has read and written, and the changes that it made to values.
   */
  public record Counts(
      long bytes, long examples, long blocks, long written, ConversionChanges changes) {}

  /**
   * Creates a task.
   *
   * @param bytes the number of bytes that the task reads
   * @param attempts returns the attempt of the task when the task begins
   */
  LocalTask(long bytes, Io.Supplier<TaskAttempt> attempts) {
    this.bytes = bytes;
    this.attempts = attempts;
  }

  /** Returns the number of bytes that the task reads. */
  public final long bytes() {
    return bytes;
  }

  /** Returns the number of bytes that the task has read so far. */
  public abstract long bytesRead();

  /** Returns the counts of the task after it has ended. */
  public final Counts counts() {
    return Objects.requireNonNull(counts);
  }

  /** Does the work and returns the counts. */
  abstract Counts run(TaskAttempt attempt) throws IOException, InterruptedException;

  @Override
  public final @Nullable Void call() throws IOException, InterruptedException {
    TaskAttempt attempt = attempts.get();
    try {
      counts = run(attempt);
      attempt.commit();
      return null;
    } catch (Throwable failure) {
      try {
        Uninterrupted.run(attempt::abort);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
  }
}
