package org.saevhadoop.jobs.verify;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.tensor.DType;

/**
 * The findings of a verification.
 *
 * @param findings errors, then warnings, at most {@value #MAX_FINDINGS} in total; for findings in
 *     values, at most 20 per kind and column, which have the smallest coordinates
 * @param notListed the number of findings that are not listed, by kind
 * @param layers the columns whose values were checked
 * @param checked the amount of data that was checked
 */
@PublicApi
public record VerifiedDataset(
    List<Finding> findings,
    List<KindCount> notListed,
    List<VerifiedColumn> layers,
    Checked checked) {
  /** The maximum number of findings that are listed. */
  public static final int MAX_FINDINGS = 1000;

  public VerifiedDataset {
    findings = List.copyOf(findings);
    layers = List.copyOf(layers);
  }

  /**
   * The amount of data that was checked.
   *
   * @param files the number of files
   * @param bytes their length
   * @param vectors the number of vectors whose values were checked
   * @param sums whether all files were compared with recorded sums
   * @param duplicates whether vectors were compared with one another
   */
  public record Checked(long files, long bytes, long vectors, boolean sums, boolean duplicates) {}

  /**
   * A column whose values were checked.
   *
   * @param layer the number of the layer; null if the dataset has no activations
   * @param column the name of the column if it is not a layer
   * @param dtype the type of its values
   * @param vectors the number of vectors that were checked
   * @param counts the number of findings in its values, by kind
   */
  public record VerifiedColumn(
      @Nullable Integer layer,
      @Nullable String column,
      @JsonIgnore DType dtype,
      long vectors,
      List<KindCount> counts) {}

  /** The number of findings of one kind. */
  public record KindCount(String kind, long count) {
    static List<KindCount> of(SortedMap<String, Long> counts) {
      return counts.entrySet().stream()
          .map(entry -> new KindCount(entry.getKey(), entry.getValue()))
          .toList();
    }
  }

  /** Returns whether there is no finding at or above a severity. */
  public boolean isFreeOf(Severity severity) {
    return findings.stream().noneMatch(finding -> finding.severity().compareTo(severity) <= 0);
  }
}
