package org.saevhadoop.mapreduce;

import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.saev.SaevFormat;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;

/** Reads a folder of SAEV shards, {@code .../<hash>}. */
@PublicApi
public final class SaevInputFormat extends ActivationInputFormat {
  /** Creates the input format. */
  public SaevInputFormat() {
    super(new SaevFormat());
  }
}
