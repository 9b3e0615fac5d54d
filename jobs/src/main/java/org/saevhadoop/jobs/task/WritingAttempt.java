package org.saevhadoop.jobs.task;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.saevhadoop.format.dataset.write.DatasetWriter;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.MeteredFolder;

/** A task that writes its records to files of a dataset, in a folder. */
public abstract class WritingAttempt implements TaskAttempt {
  private final AtomicLong bytes = new AtomicLong();

  /**
   * Opens the writer of the files.
   *
   * @param count returns a view of a folder that counts the bytes written to it
   */
  protected abstract DatasetWriter open(UnaryOperator<Folder> count) throws IOException;

  @Override
  public final void run(TaskInput input) throws IOException, InterruptedException {
    ByteMeter meter = new ByteMeter(bytes::addAndGet);
    try (DatasetWriter writer = open(folder -> new MeteredFolder(folder, meter))) {
      while (input.next()) {
        writer.write(input.example(), input.column(), input.dtype(), input.values());
      }
    }
  }

  @Override
  public final long bytes() {
    return bytes.get();
  }
}
