package org.saevhadoop.format.reader.vector;

import java.io.IOException;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;

/**
 * Computes the factor by which floats are multiplied so that the mean squared norm of the vectors
 * equals dim.
 */
final class NormScale {
  private static final int BATCH_BYTES = 1 << 20;

  private NormScale() {}

  /** Returns the factor, or 1 if scaling is disabled or no vector is delivered. */
  static float of(ActivationDataset dataset, VectorView view, ReaderOptions options)
      throws IOException {
    if (!options.scaleNorm()) {
      return 1;
    }
    int dim = view.geometry().dim();
    ReaderOptions measuring =
        ReaderOptions.defaults()
            .withThreads(options.threads())
            .withBatchTimeout(options.batchTimeout())
            .withBatchSize(Math.max(1, BATCH_BYTES / view.geometry().vectorBytes()))
            .withBufferSize(8);
    double sum = 0;
    long vectors = 0;
    float[] vector = new float[dim];
    try (OrderedReader reader = new OrderedReader(dataset, view, measuring)) {
      while (reader.next()) {
        VectorBatch batch = reader.batch();
        var floats = batch.floats();
        for (int row = 0; row < batch.rows(); row++) {
          floats.get(vector);
          if (!options.ignoreLabels().contains(batch.label(row))) {
            sum += squaredNorm(vector);
            vectors++;
          }
        }
      }
    }
    double mean = sum / vectors;
    float factor = (float) Math.sqrt(dim / mean);
    DatasetError.NOT_SCALABLE.check(
        vectors == 0 || Double.isFinite(mean) && mean > 0 && Float.isFinite(factor) && factor > 0,
        dataset.path(),
        "the mean squared norm of the vectors is %s (expected a number above 0 to scale by)",
        mean);
    return vectors == 0 ? 1 : factor;
  }

  /** Uses four independent sums, which a processor can compute in parallel. */
  private static double squaredNorm(float[] vector) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int i = 0;
    for (; i + 3 < vector.length; i += 4) {
      a += (double) vector[i] * vector[i];
      b += (double) vector[i + 1] * vector[i + 1];
      c += (double) vector[i + 2] * vector[i + 2];
      d += (double) vector[i + 3] * vector[i + 3];
    }
    for (; i < vector.length; i++) {
      a += (double) vector[i] * vector[i];
    }
    return a + b + (c + d);
  }
}
