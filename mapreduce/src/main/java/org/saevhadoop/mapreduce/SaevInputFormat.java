package org.saevhadoop.mapreduce;

import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.saev.SaevFormat;

/** Reads a folder of SAEV shards, {@code .../<hash>}. */
public final class SaevInputFormat extends ActivationInputFormat {
  /** Creates the input format. */
  public SaevInputFormat() {
    super(new SaevFormat(), DatasetFormats.registry());
  }
}
