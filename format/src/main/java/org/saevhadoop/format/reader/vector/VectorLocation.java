package org.saevhadoop.format.reader.vector;

import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.Shard;

/**
 * Location of one vector of a view.
 *
 * @param example the number of the vector's example in the stored dataset
 * @param layer the layer number, as in the model
 * @param token the token index in the file, where [CLS] has index 0
 * @param shard the data file
 * @param offset the offset of the vector in that file, in bytes
 */
@PublicApi
public record VectorLocation(long example, int layer, int token, Shard shard, long offset) {}
