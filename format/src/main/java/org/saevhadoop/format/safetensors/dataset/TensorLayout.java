package org.saevhadoop.format.safetensors.dataset;

import java.util.Locale;

/** Arrangement of examples in tensors (the two modes of safetensors-spark). */
public enum TensorLayout {
  /**
   * One tensor of shape {@code [n, ...]} per column, where n is the number of examples in the file.
   */
  BATCH,
  /** One tensor per example and column, named {@code <id><separator><column>}. */
  KV;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
