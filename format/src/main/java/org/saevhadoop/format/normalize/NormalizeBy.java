package org.saevhadoop.format.normalize;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Operations that normalize the vectors of a layer. */
public enum NormalizeBy {
  /** Vectors are multiplied by the scale of the layer, so that mean |x|² equals their dimension. */
  SCALE,
  /** The mean of the layer is subtracted. */
  CENTER,
  /** The mean is subtracted, then vectors are multiplied by the scale of the differences. */
  CENTER_SCALE;

  boolean isCentering() {
    return this != SCALE;
  }

  boolean isScaling() {
    return this != CENTER;
  }

  /** Returns the constant with the given name, if there is one. */
  static Optional<NormalizeBy> named(String name) {
    return Arrays.stream(values()).filter(value -> value.toString().equals(name)).findFirst();
  }

  /** Returns the name on the command line, such as {@code center-scale}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
