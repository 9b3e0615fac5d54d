package org.saevhadoop.jobs.task;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.mapreduce.io.ByteMeter;

/** An attempt of a {@link Task} or a work item that writes records. */
public abstract class OutputAttempt implements TaskAttempt {
  private final @Nullable Class<? extends Task> task;

  /**
   * Creates an attempt.
   *
   * @param task the class of the task; null if the attempt executes a work item
   */
  protected OutputAttempt(@Nullable Class<? extends Task> task) {
    this.task = task;
  }

  protected abstract TaskOutput output();

  @Override
  public final void run(TaskInput input) throws IOException, InterruptedException {
    Task.of(Objects.requireNonNull(task)).run(input, output());
  }

  @Override
  public final ConversionChanges run(WorkItem item, ByteMeter read)
      throws IOException, InterruptedException {
    return item.run(read, output());
  }
}
