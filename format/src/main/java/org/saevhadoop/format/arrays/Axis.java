package org.saevhadoop.format.arrays;

import java.util.Locale;

/** Dimension of activations, in the order in which a dataset has them. */
public enum Axis {
  EXAMPLE,
  LAYER,
  TOKEN,
  DIM;

  /** Returns the name in options and messages. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
