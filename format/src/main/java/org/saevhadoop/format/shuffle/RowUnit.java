package org.saevhadoop.format.shuffle;

import java.util.Locale;
import org.saevhadoop.format.api.PublicApi;

/** The kind of a row of a shuffled dataset. */
@PublicApi
public enum RowUnit {
  /** A vector of one layer. */
  VECTOR,
  /** An example with all its layers and tokens. */
  EXAMPLE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
