package org.saevhadoop.mapreduce;

import org.saevhadoop.mapreduce.input.StreamInputFormat;
import org.saevhadoop.mapreduce.pickle.PickleFormat;

/**
 * Reads pickled activation shards. A shard is one split, as a pickle cannot be cut: its records are
 * the arrays in the order of the file, each under its {@code sample_idx} as the example, of
 * whatever length.
 */
public final class ActivationPickleInputFormat extends StreamInputFormat {
  /** Creates the input format. */
  public ActivationPickleInputFormat() {
    super(new PickleFormat());
  }
}
