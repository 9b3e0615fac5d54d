package org.saevhadoop.jobs.diff;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.tensor.DType;

/**
 * The differences between two datasets.
 *
 * @param shapes the differences between the shapes, each as text such as {@code examples: 7 and 6};
 *     columns whose shapes differ are not compared
 * @param onlyA the parts that only the first dataset has, such as {@code layer 13} or {@code
 *     labels}. Sample metadata that only one dataset has is reported but not counted, because some
 *     formats add it
 * @param onlyB the parts that only the second dataset has
 * @param examples the number of examples that were compared
 * @param labelsDiffering the number of examples whose labels differ
 * @param sampleMetadataDiffering the number of examples whose sample metadata differs
 * @param all the combined differences of all columns
 * @param layers the columns that were compared
 * @param first the differing values with the smallest coordinates, at most 20, in the order of
 *     example, column, vector and value
 */
@PublicApi
public record DatasetDifference(
    List<String> shapes,
    List<String> onlyA,
    List<String> onlyB,
    long examples,
    long labelsDiffering,
    long sampleMetadataDiffering,
    @JsonUnwrapped Differing all,
    List<ComparedColumn> layers,
    List<Difference> first) {
  static final String SAMPLE_METADATA = "sample metadata";

  public DatasetDifference {
    shapes = List.copyOf(shapes);
    onlyA = List.copyOf(onlyA);
    onlyB = List.copyOf(onlyB);
    layers = List.copyOf(layers);
    first = List.copyOf(first);
  }

  /**
   * The extent of the differences in one or more columns. Differences within the tolerance do not
   * count, except in {@code bits} and in the largest distances, which cover all pairs of finite
   * values.
   *
   * @param blocksDiffering the number of blocks that differ
   * @param vectorsDiffering the number of vectors that differ
   * @param valuesDiffering the number of values that differ
   * @param nonFiniteDiffering the number of differing pairs in which at least one value is not
   *     finite
   * @param bits the number of values whose bits differ
   * @param maxAbs the largest {@code |a - b|}; infinite if it exceeds the range of float64
   * @param maxRel the largest {@code |a - b| / max(|a|, |b|)}
   * @param maxUlp the largest number of steps in the narrower type
   */
  public record Differing(
      long blocksDiffering,
      long vectorsDiffering,
      long valuesDiffering,
      long nonFiniteDiffering,
      @JsonIgnore long bits,
      @JsonInclude double maxAbs,
      @JsonInclude double maxRel,
      BigInteger maxUlp) {
    static Differing of(ColumnDifference found) {
      return new Differing(
          found.blocks,
          found.vectors,
          found.values,
          found.nonFinite,
          found.bits,
          found.maxAbs,
          found.maxRel,
          new BigInteger(Long.toUnsignedString(found.maxUlp)));
    }
  }

  /**
   * A column that was compared.
   *
   * @param layer the number of the layer; null if the datasets have no activations
   * @param column the name of the column if it is not a layer
   * @param dtypeA the type in which the first dataset stores the column
   * @param dtypeB the type in which the second dataset stores the column
   */
  public record ComparedColumn(
      @Nullable Integer layer,
      @Nullable String column,
      DType dtypeA,
      DType dtypeB,
      @JsonUnwrapped Differing differing) {}

  /**
   * Two values that differ. The coordinates refer to the first dataset as stored.
   *
   * @param layer the number of the layer; null if the datasets have no activations
   * @param column the name of the column if it is not a layer
   * @param token the token; for columns that are not activations, the index of the vector in the
   *     block
   * @param a the value in the first dataset, with the digits of its type
   * @param b the value in the second dataset
   */
  public record Difference(
      long example,
      @Nullable Integer layer,
      @Nullable String column,
      long token,
      int dim,
      Number a,
      Number b) {}

  /** Returns whether nothing differs beyond the tolerance. */
  public boolean same() {
    return isSameBeside() && all.valuesDiffering() == 0;
  }

  /** Returns whether nothing differs except the types in which equal values are stored. */
  public boolean identical() {
    return isSameBeside() && all.bits() == 0;
  }

  private boolean isSameBeside() {
    return shapes.isEmpty()
        && onlyA.stream().allMatch(SAMPLE_METADATA::equals)
        && onlyB.stream().allMatch(SAMPLE_METADATA::equals)
        && labelsDiffering == 0
        && sampleMetadataDiffering == 0;
  }
}
