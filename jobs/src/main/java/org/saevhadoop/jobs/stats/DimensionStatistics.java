package org.saevhadoop.jobs.stats;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.saevhadoop.format.api.PublicApi;

/**
 * Statistics of the values of each dimension. Values that are not finite are left out. Statistics
 * are NaN for a dimension without finite values.
 *
 * @param counts the numbers of finite values
 * @param mean the means
 * @param variance the variances (population)
 * @param meanAbsolute the means of the absolute values
 * @param min the smallest values
 * @param max the largest values
 * @param zeros the numbers of values that are zero
 */
@PublicApi
public record DimensionStatistics(
    long[] counts,
    double[] mean,
    double[] variance,
    double[] meanAbsolute,
    double[] min,
    double[] max,
    long[] zeros) {
  /**
   * The factor by which the mean absolute value of a dominant dimension exceeds the median over all
   * dimensions.
   */
  private static final double DOMINANT = 50;

  /** Returns the number of dimensions. */
  public int dim() {
    return mean.length;
  }

  /** Returns the sum of the variances, which is the mean of |x - m|² for the mean vector m. */
  public double totalVariance() {
    return Arrays.stream(variance).sum();
  }

  /** Returns the share of zeros in a dimension. */
  public double zeroShare(int dimension) {
    return (double) zeros[dimension] / counts[dimension];
  }

  /** Returns the dimensions that are zero in all vectors. */
  public int[] dead() {
    return IntStream.range(0, dim()).filter(d -> counts[d] > 0 && zeros[d] == counts[d]).toArray();
  }

  /**
   * Returns the dimensions whose mean absolute value is more than 50 times the median over all
   * dimensions with finite values; none if the median is 0.
   */
  public int[] dominant() {
    double median = medianAbsolute();
    return IntStream.range(0, dim())
        .filter(d -> median > 0 && meanAbsolute[d] > DOMINANT * median)
        .toArray();
  }

  /** Returns the dimensions that have the same value, other than zero, in all vectors. */
  public int[] constant() {
    return IntStream.range(0, dim())
        .filter(d -> counts[d] > 1 && min[d] == max[d] && min[d] != 0)
        .toArray();
  }

  /** Returns the median of the mean absolute values of dimensions with finite values. */
  public double medianAbsolute() {
    double[] sorted =
        Arrays.stream(meanAbsolute).filter(mean -> !Double.isNaN(mean)).sorted().toArray();
    int n = sorted.length;
    return n == 0 ? Double.NaN : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }
}
