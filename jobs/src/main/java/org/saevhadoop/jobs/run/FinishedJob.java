package org.saevhadoop.jobs.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.mapreduce.input.ConversionCounter;

/**
 * A job that has ended.
 *
 * @param succeeded whether it succeeded
 * @param reduces the number of its reduce tasks
 * @param seconds the time from submission to the end
 * @param counters this program's counters, by name; empty if the job failed, or if they could not
 *     be read
 */
@PublicApi
public record FinishedJob(
    @JsonUnwrapped RunningJob job,
    @JsonIgnore boolean succeeded,
    @JsonIgnore int reduces,
    double seconds,
    Map<String, Long> counters) {
  public FinishedJob {
    counters = Collections.unmodifiableMap(new TreeMap<>(counters));
  }

  /** Returns the number of changed values, as a sentence; empty if no values were converted. */
  public Optional<String> changes() {
    return counters.containsKey(JobCounters.name(ConversionCounter.CONVERTED))
        ? Optional.of(
            Quote.sentence(
                "of %d values converted, %d were rounded, %d became infinite, %d were out of range,"
                    + " %d were NaN and lost bits",
                count(ConversionCounter.CONVERTED),
                count(ConversionCounter.ROUNDED),
                count(ConversionCounter.OVERFLOWED),
                count(ConversionCounter.OUT_OF_RANGE),
                count(ConversionCounter.NAN)))
        : Optional.empty();
  }

  private @Nullable Long count(ConversionCounter counter) {
    return counters.get(JobCounters.name(counter));
  }
}
