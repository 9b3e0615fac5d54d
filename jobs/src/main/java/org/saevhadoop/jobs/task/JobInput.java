package org.saevhadoop.jobs.task;

import java.io.IOException;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.InputFormat;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.mapreduce.job.InputSpec;

/**
 * One source of a job.
 *
 * @param formatOfTasks returns the class that reads the source in Hadoop tasks; threads of this
 *     process do not need the class
 * @param spec the dataset, the part to read, and the requested records; null if the settings of the
 *     job define the input
 * @param dataset the whole dataset, which tasks in this process read without opening it again; null
 *     if they must open it
 */
public record JobInput(
    Supplier<Class<? extends InputFormat<?, ?>>> formatOfTasks,
    @Nullable InputSpec spec,
    @Nullable TableDataset dataset) {
  /** Returns the part of the open dataset that a job reads. */
  public TableDataset part() throws IOException {
    TableDataset whole = Objects.requireNonNull(dataset);
    return Objects.requireNonNull(spec).projection().resolve(whole).of(whole);
  }

  /** Returns the class that reads the source in Hadoop tasks. */
  public Class<? extends InputFormat<?, ?>> format() {
    return formatOfTasks.get();
  }
}
