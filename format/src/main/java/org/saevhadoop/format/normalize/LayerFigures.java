package org.saevhadoop.format.normalize;

import java.util.Arrays;
import java.util.OptionalDouble;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DoubleChange;

/**
 * The statistics with which the vectors of a layer are normalized.
 *
 * @param mean the mean vector
 * @param scale sqrt(dim / mean |x|²); empty if it is not known
 * @param scaleCentered sqrt(dim / mean |x - mean|²); empty if it is not known
 */
record LayerFigures(double[] mean, OptionalDouble scale, OptionalDouble scaleCentered) {
  int dim() {
    return mean.length;
  }

  private OptionalDouble scale(NormalizeBy by) {
    return by.isCentering() ? scaleCentered : scale;
  }

  /**
   * Checks that vectors can be normalized.
   *
   * @param path the path of the statistics file
   */
  void check(NormalizeBy by, String path, int layer) throws FormatException {
    for (int d = 0; by.isCentering() && d < mean.length; d++) {
      NormalizeError.NOT_USABLE.check(
          Double.isFinite(mean[d]),
          path,
          "the mean of layer %d is %s in dimension %d (expected a finite number)",
          layer,
          mean[d],
          d);
    }
    if (by.isScaling()) {
      OptionalDouble used = scale(by);
      NormalizeError.NO_STATISTICS.check(
          used.isPresent(),
          path,
          "has no scale of vectors: norm is their mean norm, and std may lack the variance within"
              + " batches (expected --normalize-by center, or a file of stats --to-safetensors)");
      double value = used.getAsDouble();
      NormalizeError.NOT_USABLE.check(
          Double.isFinite(value) && value > 0,
          path,
          "the scale of layer %d is %s (expected a positive finite number: a layer whose vectors"
              + " are all %s has no scale)",
          layer,
          value,
          by.isCentering() ? "equal" : "zero");
    }
  }

  /**
   * Returns the function that normalizes checked vectors; a record contains one or more vectors.
   */
  DoubleChange change(NormalizeBy by) {
    // x - 0 and x * 1 are x
    double[] subtracted = by.isCentering() ? mean : new double[mean.length];
    double factor = by.isScaling() ? scale(by).getAsDouble() : 1;
    return (values, count, index) -> {
      int d = (int) (index % subtracted.length);
      for (int i = 0; i < count; i++) {
        values[i] = (values[i] - subtracted[d]) * factor;
        d = d + 1 == subtracted.length ? 0 : d + 1;
      }
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LayerFigures figures
        && Arrays.equals(mean, figures.mean)
        && scale.equals(figures.scale)
        && scaleCentered.equals(figures.scaleCentered);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(mean) * 31 + scale.hashCode();
  }
}
