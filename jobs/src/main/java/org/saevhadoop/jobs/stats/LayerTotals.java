package org.saevhadoop.jobs.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;
import org.saevhadoop.jobs.stats.LayerStatistics.Occurrence;

/**
 * The sums of all vectors of a layer.
 *
 * @param pairs its random pairs of vectors
 */
record LayerTotals(LayerSums sums, PairedVectors pairs) {
  private static final double[] QUANTILES = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

  /**
   * Returns the statistics.
   *
   * @param dataset the dataset of the vectors
   * @param layer the number of the layer
   */
  LayerStatistics statistics(ActivationDataset dataset, int layer) {
    List<MeanNorm> byToken = new ArrayList<>();
    for (int token = 0; token < sums.byToken.count(); token++) {
      byToken.add(sums.byToken.mean(token));
    }
    SortedMap<Integer, MeanNorm> byLabel = new TreeMap<>();
    for (int label = 0; label < sums.byLabel.count(); label++) {
      MeanNorm mean = sums.byLabel.mean(label);
      if (mean.vectors() > 0) {
        byLabel.put(label, mean);
      }
    }
    return new LayerStatistics(
        layer,
        sums.vectors,
        sums.padding,
        norms(),
        sums.values.statistics(sums.vectors),
        occurrence(sums.nan, dataset),
        occurrence(sums.infinite, dataset),
        occurrence(sums.zeroVectors, dataset),
        pairs.cosines(),
        byToken,
        byLabel);
  }

  private static @Nullable Occurrence occurrence(Occurrences found, ActivationDataset dataset) {
    if (found.count() == 0) {
      return null;
    }
    int tokens = dataset.geometry().tokens();
    return new Occurrence(
        found.count(),
        dataset.sourceExample(found.vector() / tokens),
        dataset.sourceToken((int) (found.vector() % tokens)),
        found.dim());
  }

  private NormStatistics norms() {
    long vectors = sums.norms.count();
    SortedMap<Double, Double> quantiles = new TreeMap<>();
    for (double fraction : QUANTILES) {
      double norm = vectors == 0 ? Double.NaN : sums.norms.at((long) (fraction * (vectors - 1)));
      quantiles.put(fraction, Math.max(sums.minNorm, Math.min(sums.maxNorm, norm)));
    }
    return new NormStatistics(
        vectors,
        sums.normSums.mean(0, vectors),
        sums.normSums.mean(1, vectors),
        vectors == 0 ? Double.NaN : sums.minNorm,
        vectors == 0 ? Double.NaN : sums.maxNorm,
        quantiles,
        sums.norms.histogram());
  }
}
