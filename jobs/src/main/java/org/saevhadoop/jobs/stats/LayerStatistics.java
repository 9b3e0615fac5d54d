package org.saevhadoop.jobs.stats;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;

/**
 * Statistics of the vectors of one layer. All figures exclude tokens that the dataset marks as
 * padding.
 *
 * @param layer the number of the layer in the model
 * @param vectors the number of vectors that were measured
 * @param padding the number of tokens that were left out as padding
 * @param norms the norms of the vectors whose values are all finite
 * @param values the statistics of each dimension
 * @param nan the NaN values; null if there are none
 * @param infinite the infinite values; null if there are none
 * @param zeroVectors the zero vectors; null if there are none
 * @param cosines the cosines of random pairs of vectors
 * @param byToken the mean norm by token position in the example
 * @param byLabel the mean norm by label; empty if the dataset has no labels
 */
@PublicApi
public record LayerStatistics(
    int layer,
    long vectors,
    long padding,
    NormStatistics norms,
    DimensionStatistics values,
    @Nullable Occurrence nan,
    @Nullable Occurrence infinite,
    @Nullable Occurrence zeroVectors,
    Cosines cosines,
    List<MeanNorm> byToken,
    SortedMap<Integer, MeanNorm> byLabel) {
  /**
   * The number of values or vectors of one kind, such as NaN, and their first occurrence.
   *
   * @param count their number
   * @param example the stored number of the example of the first occurrence
   * @param token the stored number of the token of the first occurrence
   * @param dim the index of the value in its vector; null if the occurrence is a whole vector
   */
  public record Occurrence(
      @JsonIgnore long count, long example, int token, @Nullable Integer dim) {}

  /**
   * The cosines of random pairs of vectors, excluding zero vectors.
   *
   * @param pairs the number of pairs
   * @param mean the mean; NaN, like the other figures, if there are no pairs
   * @param std the population standard deviation
   */
  public record Cosines(int pairs, double mean, double std, double min, double max) {}

  /**
   * The mean norm of a set of vectors.
   *
   * @param vectors the number of these vectors whose values are all finite
   * @param mean the mean norm; NaN if there are no such vectors
   */
  public record MeanNorm(long vectors, double mean) {}

  /**
   * Returns the factor by which vectors are multiplied so that the mean of their squared norms
   * equals the number of dimensions: sqrt(dim / mean |x|²). saev documents the same factor for
   * {@code scale_norm} ("Whether to scale norms to sqrt(D)", src/saev/data/shuffled.py, commit
   * d4fcc7e), but raises NotImplementedError.
   */
  public double scale() {
    return Math.sqrt(values.dim() / norms.meanSquare());
  }

  /**
   * Returns the factor for vectors from which the mean was subtracted: sqrt(dim / mean |x - m|²).
   */
  public double scaleCentered() {
    return Math.sqrt(values.dim() / values.totalVariance());
  }
}
