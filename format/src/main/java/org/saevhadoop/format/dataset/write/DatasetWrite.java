package org.saevhadoop.format.dataset.write;

/**
 * Everything that a format provides to write one dataset.
 *
 * @param plan the data files to be written
 * @param sinks opens them in a task
 * @param finisher ends the dataset once all tasks have ended
 */
public record DatasetWrite(WritePlan plan, ShardSinks sinks, DatasetFinisher finisher) {}
