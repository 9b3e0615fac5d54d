package org.saevhadoop.converters.console;

import java.util.Map;

/**
 * A job that a command has run with success.
 *
 * @param step what the command calls it, such as {@code convert} or {@code unpack}
 * @param name the name under which a cluster lists it
 * @param application the id of its application on YARN; null if it ran in this process
 * @param reduces the number of its reduce tasks
 * @param seconds the time from submission to the end
 * @param counters this program's counters, by name; empty if they could not be read
 */
public record FinishedJob(
    String step,
    String name,
    String application,
    int reduces,
    double seconds,
    Map<String, Long> counters) {}
