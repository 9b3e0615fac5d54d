package org.saevhadoop.format.dataset;

import org.saevhadoop.format.api.PublicApi;

/**
 * Consecutive examples of one data file.
 *
 * @param start position in the file of the first of the examples
 * @param examples number of examples
 */
@PublicApi
public record ShardSlice(int index, Shard shard, long start, long examples) {}
