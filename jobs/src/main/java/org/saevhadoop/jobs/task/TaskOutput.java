package org.saevhadoop.jobs.task;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.saevhadoop.format.io.Folder;

/**
 * Receives the output of a task: either records, each consisting of a key and bytes, in order, or
 * files.
 */
@FunctionalInterface
public interface TaskOutput {
  /** Writes a record with the first bytes of an array, which the caller may change afterwards. */
  void write(long key, byte[] bytes, int length) throws IOException, InterruptedException;

  /** Writes an array. */
  default void write(long key, byte[] bytes) throws IOException, InterruptedException {
    write(key, bytes, bytes.length);
  }

  /** Writes a value. */
  default void write(long key, Streamed value) throws IOException, InterruptedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    value.write(new DataOutputStream(bytes));
    write(key, bytes.toByteArray());
  }

  /**
   * Creates the folder of the attempt, from which files are moved when the attempt is committed.
   * Only a job whose output is files has such a folder.
   */
  default Folder folder() throws IOException, InterruptedException {
    throw new UnsupportedOperationException("the output of the job is records, not files");
  }

  /** Counts bytes that were written to files. */
  default void written(long bytes) {}
}
