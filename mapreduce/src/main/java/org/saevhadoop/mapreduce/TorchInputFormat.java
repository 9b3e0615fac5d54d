package org.saevhadoop.mapreduce;

import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.torch.TorchFormat;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;

/**
 * Reads files written by torch.save, as {@code saev.input.tensors} and {@code saev.input.files}
 * describe their tensors.
 */
@PublicApi
public final class TorchInputFormat extends ActivationInputFormat {
  /** Creates the input format. */
  public TorchInputFormat() {
    super(new TorchFormat());
  }
}
