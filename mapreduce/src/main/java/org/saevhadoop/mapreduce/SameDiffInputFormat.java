package org.saevhadoop.mapreduce;

import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.samediff.SameDiffFormat;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;

/**
 * Reads SameDiff containers: an SDNB file, the shards of an SDNB file, or an SDZ file with stored
 * entries. Arrays named {@code layer_<l>/shard_<i>} are activations; {@code saev.input.tensors}
 * defines how other arrays are interpreted.
 */
@PublicApi
public final class SameDiffInputFormat extends ActivationInputFormat {
  /** Creates the input format. */
  public SameDiffInputFormat() {
    super(new SameDiffFormat());
  }
}
