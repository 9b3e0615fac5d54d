package org.saevhadoop.jobs.run;

import java.util.Map;

/**
 * A job that has ended.
 *
 * @param succeeded whether it succeeded
 * @param reduces the number of its reduce tasks
 * @param seconds the time from submission to the end
 * @param counters this program's counters, by name; empty if the job failed, or if they could not
 *     be read
 */
public record FinishedJob(
    RunningJob job, boolean succeeded, int reduces, double seconds, Map<String, Long> counters) {
  public FinishedJob {
    counters = Map.copyOf(counters);
  }
}
