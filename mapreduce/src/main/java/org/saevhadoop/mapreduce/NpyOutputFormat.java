package org.saevhadoop.mapreduce;

import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.numpy.NpyFormat;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

/**
 * Writes .npy files, one per layer or split into parts. {@code saev.output.geometry}, {@code
 * saev.output.table} or {@code saev.output.metadata} defines the shape. Job commit writes the
 * document saev-arrays.json.
 */
@PublicApi
public final class NpyOutputFormat extends ActivationOutputFormat {
  /** Creates the output format. */
  public NpyOutputFormat() {
    super(new NpyFormat());
  }
}
