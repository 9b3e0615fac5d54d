package org.saevhadoop.format.dataset.write;

/**
 * Everything that a format provides to write one dataset.
 *
 * @param sinks the sinks, which open the data files in a task
 * @param finisher the finisher, which completes the dataset after all tasks have ended
 */
public record DatasetWrite(WritePlan plan, ShardSinks sinks, DatasetFinisher finisher) {}
