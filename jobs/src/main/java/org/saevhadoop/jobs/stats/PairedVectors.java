package org.saevhadoop.jobs.stats;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.saevhadoop.jobs.stats.LayerStatistics.Cosines;

/** The cosines of the pairs of one layer, whose vectors arrive in any order. */
final class PairedVectors {
  /** The vectors whose partners have not arrived yet. */
  private final Map<Integer, double[]> waiting = new HashMap<>();

  /** The cosine of each complete pair. */
  private final SortedMap<Integer, Double> cosines = new TreeMap<>();

  /**
   * Adds a vector, which must not be modified afterwards.
   *
   * @param slot twice the number of the pair that contains the vector, plus 0 or 1
   */
  void add(int slot, double[] vector) {
    int pair = slot / 2;
    double[] other = waiting.remove(pair);
    if (other == null) {
      waiting.put(pair, vector);
    } else {
      double norms = Math.sqrt(dot(other, other)) * Math.sqrt(dot(vector, vector));
      cosines.put(pair, dot(other, vector) / norms);
    }
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int d = 0; d < a.length; d++) {
      sum += a[d] * b[d];
    }
    return sum;
  }

  Cosines cosines() {
    // a product of tiny norms may be 0
    double[] found =
        cosines.values().stream().mapToDouble(c -> c).filter(c -> !Double.isNaN(c)).toArray();
    CompensatedSums sums = new CompensatedSums(2);
    for (double cosine : found) {
      sums.add(0, cosine);
    }
    double mean = sums.mean(0, found.length);
    for (double cosine : found) {
      sums.add(1, (cosine - mean) * (cosine - mean));
    }
    return new Cosines(
        found.length,
        mean,
        Math.sqrt(sums.mean(1, found.length)),
        Arrays.stream(found).min().orElse(Double.NaN),
        Arrays.stream(found).max().orElse(Double.NaN));
  }
}
