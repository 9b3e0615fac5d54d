package org.saevhadoop.jobs.stats;

import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;

/**
 * The size of the sums of a layer.
 *
 * @param dim the number of values of a vector
 * @param tokens the number of tokens of an example
 * @param labels the number of labels; 0 if there are none
 * @param exactSquares whether the squares of all values are doubles
 */
record SumsShape(int dim, int tokens, int labels, boolean exactSquares) {
  /** The number of labels of SAEV, which are bytes. */
  private static final int LABELS = 256;

  /** The size of what does not depend on the shape, and of a sketch of some hundred buckets. */
  private static final int BASE_BYTES = 4 << 10;

  static SumsShape of(ActivationDataset dataset) {
    Geometry geometry = dataset.geometry();
    return new SumsShape(
        geometry.dim(),
        geometry.tokens(),
        dataset.hasLabels() ? LABELS : 0,
        VectorReader.hasExactSquares(geometry.dtype()));
  }

  /** Returns about how many bytes are written of the sums of a layer. */
  long bytes() {
    return BASE_BYTES + (long) dim * DimensionSums.BYTES + 24L * (tokens + labels);
  }
}
