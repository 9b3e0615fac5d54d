package org.saevhadoop.jobs.task;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.mapreduce.io.ByteMeter;

/** A task that executes a {@link WorkItem}. */
public final class ItemTask extends LocalTask {
  private final WorkItem item;
  private final AtomicLong bytesRead = new AtomicLong();

  /**
   * Creates a task.
   *
   * @param attempts returns the attempt of the task when the task begins
   */
  public ItemTask(WorkItem item, Io.Supplier<TaskAttempt> attempts) {
    super(item.bytes(), attempts);
    this.item = item;
  }

  @Override
  public long bytesRead() {
    return (long) (bytes() * Math.min(1, item.progress(bytesRead.get())));
  }

  @Override
  Counts run(TaskAttempt attempt) throws IOException, InterruptedException {
    ByteMeter meter = new ByteMeter(bytesRead::addAndGet);
    ConversionChanges changes = attempt.run(item, meter);
    meter.flush();
    return new Counts(bytesRead.get(), 0, 0, attempt.bytes(), changes);
  }
}
