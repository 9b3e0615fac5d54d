package org.saevhadoop.format.dataset;

/**
 * One data file of a dataset that is to be written.
 *
 * @param name its file name
 * @param first number of its first example
 * @param examples how many examples it holds
 * @param header the bytes before the first block
 * @param length the whole file's length; {@link DatasetTarget#finish} fills what the blocks leave
 */
public record ShardPlan(String name, long first, long examples, byte[] header, long length) {}
