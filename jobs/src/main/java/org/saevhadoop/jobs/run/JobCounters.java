package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.jobs.task.LocalTask;
import org.saevhadoop.mapreduce.input.ConversionCounter;
import org.saevhadoop.mapreduce.io.DatasetCounter;

/** The counters of this program in a job that has ended. */
final class JobCounters {
  private JobCounters() {}

  /** Returns the name of a counter in reports. */
  public static String name(ConversionCounter counter) {
    return "values_" + counter.name().toLowerCase(Locale.ROOT);
  }

  private static String name(DatasetCounter counter) {
    return counter.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the counters by name: the counters of all jobs, and the kinds of changes if values were
   * converted. Logs a warning and returns no counters if neither the job nor the history server has
   * them: a successful job must not fail for this reason.
   */
  static Map<String, Long> of(Job job, RunListener listener) {
    try {
      Counters counters = job.getCounters();
      if (counters != null) {
        return of(counters);
      }
      listener.warning(job.getJobID() + ": its counters are unknown (expected a history server)");
    } catch (IOException e) {
      listener.warning(
          "%s: its counters are unknown (expected a history server): %s"
              .formatted(job.getJobID(), e.getMessage()));
    }
    return Map.of();
  }

  /**
   * Adds the counters of tasks in this process by name.
   *
   * @param written the counter for the bytes of their output; null if these bytes are not counted
   */
  static void put(
      List<LocalTask.Counts> tasks, @Nullable DatasetCounter written, Map<String, Long> into) {
    for (DatasetCounter counter : DatasetCounter.values()) {
      into.put(name(counter), 0L);
    }
    ConversionChanges changes = ConversionChanges.NONE;
    for (LocalTask.Counts task : tasks) {
      into.merge(name(DatasetCounter.BYTES_READ), task.bytes(), Long::sum);
      into.merge(name(DatasetCounter.EXAMPLES), task.examples(), Long::sum);
      into.merge(name(DatasetCounter.BLOCKS), task.blocks(), Long::sum);
      if (written != null) {
        into.merge(name(written), task.written(), Long::sum);
      }
      changes = changes.plus(task.changes());
    }
    if (changes.values() > 0) {
      into.put(name(DatasetCounter.VALUES_CHANGED), changes.changed());
      for (ConversionCounter counter : ConversionCounter.values()) {
        into.put(name(counter), counter.of(changes));
      }
    }
  }

  static Map<String, Long> of(Counters counters) {
    Map<String, Long> values = new LinkedHashMap<>();
    for (DatasetCounter counter : DatasetCounter.values()) {
      values.put(name(counter), counters.findCounter(counter).getValue());
    }
    if (counters.findCounter(ConversionCounter.CONVERTED).getValue() > 0) {
      for (ConversionCounter counter : ConversionCounter.values()) {
        values.put(name(counter), counters.findCounter(counter).getValue());
      }
    }
    return values;
  }
}
