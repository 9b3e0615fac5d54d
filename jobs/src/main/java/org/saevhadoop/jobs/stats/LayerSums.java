package org.saevhadoop.jobs.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;
import org.saevhadoop.jobs.stats.LayerStatistics.Occurrence;
import org.saevhadoop.jobs.task.Streamed;

/**
 * The sums over a sequence of vectors of one layer. The sums over subsequent vectors can be added
 * to them.
 */
final class LayerSums implements Streamed {
  /**
   * The magnitude from which values count as infinite, because the sum of their squares could
   * overflow.
   */
  static final double INFINITE = 0x1p400;

  private static final double[] QUANTILES = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

  /** The squared norm below which no value is infinite. */
  private static final double MAX_SQUARE = INFINITE * INFINITE;

  long vectors;
  long padding;
  double minNorm = Double.POSITIVE_INFINITY;
  double maxNorm;
  final Occurrences nan = new Occurrences();
  final Occurrences infinite = new Occurrences();
  final Occurrences zeroVectors = new Occurrences();
  final NormSketch norms = new NormSketch();

  final CompensatedSums normSums = new CompensatedSums(2);

  final DimensionSums values;
  final NormsByIndex byToken;
  final NormsByIndex byLabel;

  /**
   * The random pairs of the layer. The pairs are not written with the sums, but are collected only
   * in the sums over all vectors.
   */
  final PairedVectors pairs = new PairedVectors();

  private final int dim;
  private final List<Streamed> parts;
  private double[][] rows = {};
  private int pending;

  LayerSums(StatsLayout layout) {
    this.dim = layout.geometry().dim();
    this.values = new DimensionSums(dim, VectorReader.hasExactSquares(layout.geometry().dtype()));
    this.byToken = new NormsByIndex(layout.geometry().tokens());
    this.byLabel = new NormsByIndex(layout.labels());
    this.parts = List.of(nan, infinite, zeroVectors, norms, normSums, values, byToken, byLabel);
  }

  /** Returns the array into which the values of the next vector are read. */
  double[] next() {
    if (rows.length == 0) { // the sums of all vectors need no rows
      rows = new double[DimensionSums.TOGETHER][dim];
    }
    return rows[pending];
  }

  /**
   * Adds the vector in {@link #next}.
   *
   * @param number the number of the vector in the layer
   * @param token the position of the token of the vector
   * @param label the label of the token; -1 if it has none
   * @return whether the vector has a direction, that is, its values are all finite and not all zero
   */
  boolean add(long number, int token, int label) {
    vectors++;
    double[] vector = rows[pending];
    double square = squaredNorm(vector);
    if (!(square < MAX_SQUARE)) {
      addNotFinite(vector, number);
      return false;
    }
    if (++pending == DimensionSums.TOGETHER) {
      addValues();
    }
    double norm = Math.sqrt(square);
    if (norm == 0) {
      zeroVectors.add(number, -1);
    }
    minNorm = Math.min(minNorm, norm);
    maxNorm = Math.max(maxNorm, norm);
    norms.add(norm);
    normSums.add(0, norm);
    normSums.add(1, square);
    byToken.add(token, norm);
    if (label >= 0) {
      byLabel.add(label, norm);
    }
    return norm > 0;
  }

  private void addNotFinite(double[] vector, long number) {
    for (int d = 0; d < vector.length; d++) {
      if (Double.isNaN(vector[d])) {
        nan.add(number, d);
      } else if (Math.abs(vector[d]) >= INFINITE) {
        infinite.add(number, d);
      }
    }
    values.addFinite(vector);
  }

  /**
   * Returns the sum of squares, computed as four partial sums, because each addition to a sum waits
   * for the previous one.
   */
  private static double squaredNorm(double[] vector) {
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int d = 0;
    for (; d < vector.length - 3; d += 4) {
      sum0 += vector[d] * vector[d];
      sum1 += vector[d + 1] * vector[d + 1];
      sum2 += vector[d + 2] * vector[d + 2];
      sum3 += vector[d + 3] * vector[d + 3];
    }
    for (; d < vector.length; d++) {
      sum0 += vector[d] * vector[d];
    }
    return (sum0 + sum1) + (sum2 + sum3);
  }

  private void addValues() {
    values.add(rows, pending);
    pending = 0;
  }

  /** Adds the sums over the vectors that follow those already summed. */
  void add(LayerSums other) {
    vectors += other.vectors;
    padding += other.padding;
    minNorm = Math.min(minNorm, other.minNorm);
    maxNorm = Math.max(maxNorm, other.maxNorm);
    nan.add(other.nan);
    infinite.add(other.infinite);
    zeroVectors.add(other.zeroVectors);
    norms.add(other.norms);
    normSums.add(other.normSums);
    values.add(other.values);
    byToken.add(other.byToken);
    byLabel.add(other.byLabel);
  }

  /**
   * Returns the statistics.
   *
   * @param dataset the dataset that contains the vectors
   * @param layer the number of the layer
   */
  LayerStatistics statistics(ActivationDataset dataset, int layer) {
    List<MeanNorm> labels = byLabel.means();
    SortedMap<Integer, MeanNorm> found = new TreeMap<>();
    for (int label = 0; label < labels.size(); label++) {
      if (labels.get(label).vectors() > 0) {
        found.put(label, labels.get(label));
      }
    }
    return new LayerStatistics(
        layer,
        vectors,
        padding,
        normStatistics(),
        values.statistics(vectors),
        occurrence(nan, dataset),
        occurrence(infinite, dataset),
        occurrence(zeroVectors, dataset),
        pairs.cosines(),
        byToken.means(),
        found);
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
        found.dim() < 0 ? null : found.dim());
  }

  private NormStatistics normStatistics() {
    long count = norms.count();
    SortedMap<Double, Double> quantiles = new TreeMap<>();
    for (double fraction : QUANTILES) {
      double norm = count == 0 ? Double.NaN : norms.at((long) (fraction * (count - 1)));
      quantiles.put(fraction, Math.max(minNorm, Math.min(maxNorm, norm)));
    }
    double meanSquare = normSums.mean(1, count);
    return new NormStatistics(
        normSums.mean(0, count),
        Math.sqrt(meanSquare),
        count == 0 ? Double.NaN : minNorm,
        count == 0 ? Double.NaN : maxNorm,
        quantiles,
        count,
        meanSquare,
        norms.histogram());
  }

  @Override
  public void write(DataOutput out) throws IOException {
    addValues();
    out.writeLong(vectors);
    out.writeLong(padding);
    out.writeDouble(minNorm);
    out.writeDouble(maxNorm);
    for (Streamed part : parts) {
      part.write(out);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    vectors = in.readLong();
    padding = in.readLong();
    minNorm = in.readDouble();
    maxNorm = in.readDouble();
    for (Streamed part : parts) {
      part.readFields(in);
    }
  }
}
