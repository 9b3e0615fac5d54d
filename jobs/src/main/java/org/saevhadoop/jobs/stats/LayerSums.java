package org.saevhadoop.jobs.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.io.Writable;

/** What is known of some vectors of one layer. That of the vectors after them can be added. */
final class LayerSums implements Writable {
  /** Values from here on count as infinite: their squares could not be added. */
  static final double INFINITE = 0x1p400;

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

  /** The sum of the norms, and that of their squares. */
  final CompensatedSums normSums = new CompensatedSums(2);

  final DimensionSums values;
  final NormsByIndex byToken;
  final NormsByIndex byLabel;

  private final List<Writable> parts;
  private double[][] rows = {};
  private int pending;

  LayerSums(SumsShape shape) {
    this.values = new DimensionSums(shape.dim(), shape.exactSquares());
    this.byToken = new NormsByIndex(shape.tokens());
    this.byLabel = new NormsByIndex(shape.labels());
    this.parts = List.of(nan, infinite, zeroVectors, norms, normSums, values, byToken, byLabel);
  }

  void clear() {
    vectors = 0;
    padding = 0;
    minNorm = Double.POSITIVE_INFINITY;
    maxNorm = 0;
    nan.clear();
    infinite.clear();
    zeroVectors.clear();
    norms.clear();
    normSums.clear();
    values.clear();
    byToken.clear();
    byLabel.clear();
  }

  /** Returns the array into which the values of the next vector are read. */
  double[] next() {
    if (rows.length == 0) { // which totals do not need
      rows = new double[DimensionSums.TOGETHER][values.dim()];
    }
    return rows[pending];
  }

  /**
   * Adds the vector in {@link #next}.
   *
   * @param number the number of the vector in the layer
   * @param token the position of its token
   * @param label its label; -1 if it has none
   * @return whether it has a direction: its values are finite, and not all are zero
   */
  boolean add(long number, int token, int label) {
    vectors++;
    double[] vector = rows[pending];
    double square = squaredNorm(vector);
    if (!(square < MAX_SQUARE)) {
      addValues();
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

  /** Returns the sum of squares, in four parts, as additions take longer than they cost. */
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

  /** Adds what is known of vectors with larger numbers. */
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

  @Override
  public void write(DataOutput out) throws IOException {
    addValues();
    out.writeLong(vectors);
    out.writeLong(padding);
    out.writeDouble(minNorm);
    out.writeDouble(maxNorm);
    for (Writable part : parts) {
      part.write(out);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    vectors = in.readLong();
    padding = in.readLong();
    minNorm = in.readDouble();
    maxNorm = in.readDouble();
    for (Writable part : parts) {
      part.readFields(in);
    }
  }
}
