package org.saevhadoop.jobs.task;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.storage.Uninterrupted;
import org.saevhadoop.format.tensor.ConversionChanges;

/** A task that a thread of this process runs, in one attempt. */
public abstract class LocalTask implements Callable<Void> {
  private final long bytes;
  private final Io.Supplier<TaskAttempt> attempts;
  private @Nullable Counts counts;

  /** The amount of data that a task has read and written, and its changes of values. */
  public record Counts(
      long bytes, long examples, long blocks, long written, ConversionChanges changes) {}

  /**
   * Creates a task.
   *
   * @param bytes the number of bytes that it reads
   * @param attempts returns the attempt of a task when it begins
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

  /** Returns the reads of the task, after it has ended. */
  public final Counts counts() {
    return Objects.requireNonNull(counts);
  }

  /** Does the work, and returns the reads. */
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
