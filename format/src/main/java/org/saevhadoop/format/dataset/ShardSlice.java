package org.saevhadoop.format.dataset;

import org.saevhadoop.format.api.PublicApi;

/**
 * Consecutive examples of one data file.
 *
 * @param start the index, in the data file, of the first example
 * @param examples the number of examples
 */
@PublicApi
public record ShardSlice(int index, Shard shard, long start, long examples) {}
