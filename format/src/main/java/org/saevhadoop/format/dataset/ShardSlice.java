package org.saevhadoop.format.dataset;

/**
 * Consecutive examples of one data file.
 *
 * @param index index of the file among the files of its dataset
 * @param shard the file
 * @param start position in the file of the first of the examples
 * @param examples number of examples
 */
public record ShardSlice(int index, Shard shard, long start, long examples) {}
