package org.saevhadoop.mapreduce;

import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.numpy.NpyFormat;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;

/**
 * Reads numpy arrays: .npy and .npz files, and memory maps with a .meta document, as {@code
 * saev.input.tensors} and {@code saev.input.files} describe them.
 */
@PublicApi
public final class NpyInputFormat extends ActivationInputFormat {
  /** Creates the input format. */
  public NpyInputFormat() {
    super(new NpyFormat());
  }
}
