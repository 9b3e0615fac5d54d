package org.saevhadoop.jobs.stats;

import java.util.Arrays;
import org.saevhadoop.jobs.stats.LayerStatistics.Cosines;

/** The cosines of the pairs of one layer, whose vectors arrive in any order. */
final class PairedVectors {
  private final double[][] first;

  /** The cosine of each pair; NaN if a vector is missing. */
  private final double[] cosines;

  PairedVectors(int pairs) {
    this.first = new double[pairs][];
    this.cosines = new double[pairs];
    Arrays.fill(cosines, Double.NaN);
  }

  void add(int slot, double[] vector) {
    int pair = slot / 2;
    if (first[pair] == null) {
      first[pair] = vector;
    } else {
      double[] other = first[pair];
      first[pair] = new double[0];
      cosines[pair] =
          dot(other, vector) / (Math.sqrt(dot(other, other)) * Math.sqrt(dot(vector, vector)));
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
    double[] found = Arrays.stream(cosines).filter(cosine -> !Double.isNaN(cosine)).toArray();
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
