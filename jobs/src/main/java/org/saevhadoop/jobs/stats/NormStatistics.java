package org.saevhadoop.jobs.stats;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.SortedMap;
import org.saevhadoop.format.api.PublicApi;

/**
 * Statistics of the norms of vectors. All figures except the number are NaN if there are no
 * vectors.
 *
 * @param mean the mean norm
 * @param rms the root mean square of the norms
 * @param quantiles the quantiles, by fraction, such as 0.5; each is within 0.4 % of the norm at
 *     rank floor(fraction * (vectors - 1))
 * @param vectors the number of vectors whose values are all finite
 * @param meanSquare the mean of the squared norms
 * @param histogram the number of vectors by norm, in ascending order without gaps, excluding norms
 *     of 0
 */
@PublicApi
public record NormStatistics(
    double mean,
    double rms,
    double min,
    double max,
    SortedMap<Double, Double> quantiles,
    long vectors,
    @JsonIgnore double meanSquare,
    @JsonIgnore List<Bin> histogram) {
  /**
   * A bin of a histogram.
   *
   * @param from the lower bound of the bin, inclusive
   * @param to the upper bound of the bin, exclusive
   */
  public record Bin(double from, double to, long vectors) {}
}
