package org.saevhadoop.mapreduce;

import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.safetensors.SafetensorsFormat;

/**
 * Reads safetensors files: a directory with a manifest or without, or one file. Columns that are
 * activations are read as such, others as a table.
 */
public final class SafetensorsInputFormat extends ActivationInputFormat {
  /** Creates the input format. */
  public SafetensorsInputFormat() {
    super(new SafetensorsFormat(), DatasetFormats.registry());
  }
}
