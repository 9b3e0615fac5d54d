package org.saevhadoop.jobs.diff;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.DType;

/**
 * The differences between two datasets.
 *
 * @param shapes what differs in the shapes of both, one text each, such as {@code examples: 7 and
 *     6}; such columns are not compared
 * @param onlyA what only the first dataset has, such as {@code layer 13} or {@code labels}. Sample
 *     metadata that one has is reported but not counted, as some formats add it
 * @param onlyB what only the second dataset has
 * @param examples the number of examples that were compared
 * @param columns the columns that were compared
 * @param first the values that differ with the smallest coordinates, at most 20, in the order of
 *     example, column, vector and value
 * @param labels the number of examples whose labels differ
 * @param sampleMetadata the number of examples whose sample metadata differs
 */
public record DatasetDifference(
    List<String> shapes,
    List<String> onlyA,
    List<String> onlyB,
    long examples,
    List<ComparedColumn> columns,
    List<Difference> first,
    long labels,
    long sampleMetadata) {
  static final String SAMPLE_METADATA = "sample metadata";

  public DatasetDifference {
    shapes = List.copyOf(shapes);
    onlyA = List.copyOf(onlyA);
    onlyB = List.copyOf(onlyB);
    columns = List.copyOf(columns);
    first = List.copyOf(first);
  }

  /**
   * A column that was compared. Differences within the tolerance do not count, but in {@code bits}
   * and in the largest distances, which are those of all pairs of finite values.
   *
   * @param name the name of the column, such as {@code layer_13}
   * @param layer the number of the layer; null if the dataset has no activations
   * @param blocks the number of blocks that differ
   * @param vectors the number of vectors that differ
   * @param values the number of values that differ
   * @param nonFinite the number of these of which at least one of both values is not finite
   * @param bits the number of values whose bits differ
   * @param maxAbs the largest {@code |a - b|}; infinite if it exceeds the range of float64
   * @param maxRel the largest {@code |a - b| / max(|a|, |b|)}
   * @param maxUlp the largest number of steps in the narrower type, as an unsigned integer
   */
  public record ComparedColumn(
      String name,
      @Nullable Integer layer,
      DType typeA,
      DType typeB,
      long blocks,
      long vectors,
      long values,
      long nonFinite,
      long bits,
      double maxAbs,
      double maxRel,
      long maxUlp) {}

  /**
   * Two values that differ. The coordinates are those of the first dataset as it is stored.
   *
   * @param token the token; of columns that are not activations, the index of the vector in the
   *     block
   * @param a the value of the first dataset as text, such as {@code 0.25}, {@code -3} or {@code
   *     NaN}
   * @param b the value of the second dataset
   */
  public record Difference(
      long example, ComparedColumn column, long token, int dim, String a, String b) {}

  /** Returns whether nothing differs beyond the tolerance. */
  public boolean same() {
    return isSameBeside() && sum(ComparedColumn::values) == 0;
  }

  /** Returns whether nothing differs but the types in which equal values are stored. */
  public boolean identical() {
    return isSameBeside() && sum(ComparedColumn::bits) == 0;
  }

  private boolean isSameBeside() {
    return shapes.isEmpty()
        && onlyA.stream().allMatch(SAMPLE_METADATA::equals)
        && onlyB.stream().allMatch(SAMPLE_METADATA::equals)
        && labels == 0
        && sampleMetadata == 0;
  }

  /** Returns the sum of a count of all columns. */
  public long sum(ToLongFunction<ComparedColumn> count) {
    return columns.stream().mapToLong(count).sum();
  }

  /** Returns the largest distance of all columns; 0 if there are none. */
  public double max(ToDoubleFunction<ComparedColumn> distance) {
    return columns.stream().mapToDouble(distance).max().orElse(0);
  }
}
