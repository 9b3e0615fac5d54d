package org.saevhadoop.format.dataset.write;

/**
 * Everything that a format provides to write one dataset.
 *
 * @param sinks opens the data files in a task
 * @param finisher completes the dataset after all tasks have ended
 */
public record DatasetWrite(WritePlan plan, ShardSinks sinks, DatasetFinisher finisher) {}
