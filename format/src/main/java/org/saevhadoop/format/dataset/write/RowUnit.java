package org.saevhadoop.format.dataset.write;

import java.util.Locale;
import org.saevhadoop.format.api.PublicApi;

/** The content of a row in a shuffled dataset or in a table of activations. */
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
