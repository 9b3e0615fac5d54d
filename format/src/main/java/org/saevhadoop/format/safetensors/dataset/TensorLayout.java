package org.saevhadoop.format.safetensors.dataset;

import java.util.Locale;

/** How files of tensors hold examples (the two modes of safetensors-spark). */
public enum TensorLayout {
  /** A tensor {@code [n, ...]} for each column, n being the examples of the file. */
  BATCH,
  /** A tensor for each example and column, called {@code <id><separator><column>}. */
  KV;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
