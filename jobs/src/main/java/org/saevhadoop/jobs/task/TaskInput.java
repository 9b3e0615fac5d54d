package org.saevhadoop.jobs.task;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.job.InputSpec;

/** The records of a task's examples, one after another, and the settings of the job. */
public interface TaskInput {
  <T> T get(SettingKey<T> key);

  /**
   * Returns the input: the part of the source that is read, the types of its values, and the
   * requested records.
   */
  InputSpec spec();

  /** Opens the part of the source that is read. */
  TableDataset dataset() throws IOException;

  /** Opens the part of the dataset that is compared with the source. */
  TableDataset second() throws IOException;

  StoragePath path(String qualified) throws IOException;

  /** Returns the number of the first example. */
  long first();

  /** Returns the number of examples. */
  long count();

  /** Moves to the next record; returns whether there is one. */
  boolean next() throws IOException, InterruptedException;

  /** Returns the number of the example of the record. */
  long example();

  /** Returns the id of the column of the record. */
  int column();

  /** Returns the type of the values of the record. */
  DType dtype();

  int[] shape();

  /** Returns the values of the record, which are valid until the next record is read. */
  ByteBuffer values();

  /** Reports that the task is still working although it is not reading records. */
  default void progress() {}
}
