package org.saevhadoop.jobs.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
  private static final Map<ConversionCounter, String> CHANGES =
      new EnumMap<>(
          Map.of(
              ConversionCounter.ROUNDED, "were rounded",
              ConversionCounter.OVERFLOWED, "became infinite",
              ConversionCounter.OUT_OF_RANGE, "were out of range",
              ConversionCounter.NAN, "were NaN and lost bits"));

  public FinishedJob {
    counters = Collections.unmodifiableMap(new TreeMap<>(counters));
  }

  /** Returns the numbers of changed values, as a sentence; empty if no values were converted. */
  public Optional<String> changes() {
    long converted = count(ConversionCounter.CONVERTED);
    if (!counters.containsKey(JobCounters.name(ConversionCounter.CONVERTED))) {
      return Optional.empty();
    }
    List<String> changes = new ArrayList<>();
    CHANGES.forEach(
        (counter, text) -> {
          if (count(counter) > 0) {
            String verb = count(counter) == 1 ? text.replaceFirst("^were", "was") : text;
            changes.add("%d %s".formatted(count(counter), verb));
          }
        });
    return Optional.of(
        changes.isEmpty()
            ? Quote.sentence("%d values were converted or normalized, all exactly", converted)
            : Quote.sentence("of %d values that were converted or normalized, ", converted)
                + String.join(", ", changes));
  }

  private long count(ConversionCounter counter) {
    return counters.getOrDefault(JobCounters.name(counter), 0L);
  }
}
