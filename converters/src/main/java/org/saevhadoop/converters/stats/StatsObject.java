package org.saevhadoop.converters.stats;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.DimensionStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics.Cosines;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;
import org.saevhadoop.jobs.stats.LayerStatistics.Occurrence;
import org.saevhadoop.jobs.stats.NormStatistics;
import org.saevhadoop.jobs.stats.NormStatistics.Bin;

/** Statistics as JSON. */
record StatsObject(
    String path,
    long examples,
    long sampled,
    long seed,
    int tokens,
    int dim,
    List<String> unusual,
    List<Layer> layers) {
  private static final int MAX_LISTED_DIMS = 20;

  /**
   * Returns the object for a dataset.
   *
   * @param vectors whether the object has the statistics of each dimension and of each position
   */
  static StatsObject of(DatasetStatistics found, boolean vectors) {
    return new StatsObject(
        found.path(),
        found.examples(),
        found.sampled(),
        found.seed(),
        found.tokens(),
        found.dim(),
        UnusualFigures.of(found),
        found.layers().stream().map(layer -> Layer.of(layer, vectors)).toList());
  }

  record Layer(
      int layer,
      long vectors,
      long padding,
      NormStatistics norm,
      long nan,
      @Nullable Occurrence firstNan,
      long inf,
      @Nullable Occurrence firstInf,
      long zeroVectors,
      @Nullable Occurrence firstZeroVectors,
      int dead,
      List<Integer> deadDims,
      int dominant,
      List<Integer> dominantDims,
      double scale,
      double scaleCentered,
      Cosines cosine,
      @Nullable List<Label> labels,
      List<Bin> histogram,
      @JsonUnwrapped @Nullable Vectors all) {
    static Layer of(LayerStatistics found, boolean vectors) {
      int[] dead = found.values().dead();
      int[] dominant = found.values().dominant();
      return new Layer(
          found.layer(),
          found.vectors(),
          found.padding(),
          found.norms(),
          count(found.nan()),
          found.nan(),
          count(found.infinite()),
          found.infinite(),
          count(found.zeroVectors()),
          found.zeroVectors(),
          dead.length,
          first(dead),
          dominant.length,
          first(dominant),
          found.scale(),
          found.scaleCentered(),
          found.cosines(),
          found.byLabel().isEmpty() ? null : Label.of(found.byLabel()),
          found.norms().histogram(),
          vectors ? Vectors.of(found) : null);
    }

    private static List<Integer> first(int[] dims) {
      return Arrays.stream(dims).limit(MAX_LISTED_DIMS).boxed().toList();
    }

    private static long count(@Nullable Occurrence found) {
      return found == null ? 0 : found.count();
    }
  }

  record Label(int label, long vectors, double meanNorm) {
    static List<Label> of(Map<Integer, MeanNorm> norms) {
      return norms.entrySet().stream()
          .map(norm -> new Label(norm.getKey(), norm.getValue().vectors(), norm.getValue().mean()))
          .toList();
    }
  }

  record Vectors(
      double[] mean,
      double[] variance,
      double[] min,
      double[] max,
      double[] zeroShare,
      double[] normByToken) {
    static Vectors of(LayerStatistics found) {
      DimensionStatistics values = found.values();
      return new Vectors(
          values.mean(),
          values.variance(),
          values.min(),
          values.max(),
          IntStream.range(0, values.dim()).mapToDouble(values::zeroShare).toArray(),
          found.byToken().stream().mapToDouble(MeanNorm::mean).toArray());
    }
  }
}
