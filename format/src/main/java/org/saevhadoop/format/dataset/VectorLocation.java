package org.saevhadoop.format.dataset;

/**
 * Where one vector of a view lies.
 *
 * @param layer its layer as the model counts it
 * @param token its token in the file, where [CLS] is 0
 * @param shard the data file
 * @param offset the byte of that file at which the vector begins
 */
public record VectorLocation(long example, int layer, int token, Shard shard, long offset) {}
