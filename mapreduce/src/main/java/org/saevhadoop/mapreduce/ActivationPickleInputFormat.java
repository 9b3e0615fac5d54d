package org.saevhadoop.mapreduce;

import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.pickleshards.PickleFormat;
import org.saevhadoop.mapreduce.input.StreamInputFormat;

/**
 * Reads pickled activation shards. A pickle cannot be divided, so each shard is one split;
 * consecutive small shards of a directory share a split. Each array is a record, in file order; the
 * example number of its key is the {@code sample_idx}, and its value may have any length.
 */
@PublicApi
public final class ActivationPickleInputFormat extends StreamInputFormat {
  /** Creates the input format. */
  public ActivationPickleInputFormat() {
    super(new PickleFormat());
  }
}
