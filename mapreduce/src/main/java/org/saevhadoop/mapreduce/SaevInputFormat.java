package org.saevhadoop.mapreduce;

import org.saevhadoop.format.saev.SaevFormat;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;

/** Reads a folder of SAEV shards, {@code .../<hash>}. */
public final class SaevInputFormat extends ActivationInputFormat {
  /** Creates the input format. */
  public SaevInputFormat() {
    super(new SaevFormat());
  }
}
