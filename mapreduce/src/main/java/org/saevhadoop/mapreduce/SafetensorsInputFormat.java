package org.saevhadoop.mapreduce;

import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.safetensors.SafetensorsFormat;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;

/**
 * Reads safetensors files: a folder with or without a manifest, or a single file. Columns that are
 * activations are read as such, and other columns as a table.
 */
@PublicApi
public final class SafetensorsInputFormat extends ActivationInputFormat {
  /** Creates the input format. */
  public SafetensorsInputFormat() {
    super(new SafetensorsFormat());
  }
}
