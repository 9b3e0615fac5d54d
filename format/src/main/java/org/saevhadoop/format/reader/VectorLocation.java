package org.saevhadoop.format.reader;

import org.saevhadoop.format.dataset.Shard;

/**
 * Where one vector of a view lies.
 *
 * @param example its example in the stored dataset
 * @param layer its layer as the model counts it
 * @param token its token in the file, where [CLS] is 0
 * @param shard the data file
 * @param offset the byte of that file at which the vector begins
 */
public record VectorLocation(long example, int layer, int token, Shard shard, long offset) {}
