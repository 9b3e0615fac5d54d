package org.saevhadoop.jobs.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.saevhadoop.jobs.task.Streamed;

/** The sums of the values of each dimension. */
final class DimensionSums implements Streamed {
  /** The size of the record of a dimension, in bytes. */
  static final int BYTES = 9 * Double.BYTES;

  /**
   * The number of vectors that are added together. Their sum is compensated once, so that its error
   * does not grow with the number of vectors.
   */
  static final int TOGETHER = 8;

  private final int dim;
  private final boolean exactSquares;
  private final CompensatedSums sums;
  private final CompensatedSums squares;
  private final double[] absolute;
  private final double[] min;
  private final double[] max;
  private final long[] zeros;

  /** The numbers of values that are not finite. */
  private final long[] missing;

  /**
   * @param exactSquares whether the squares of all values are exact
   */
  DimensionSums(int dim, boolean exactSquares) {
    this.dim = dim;
    this.exactSquares = exactSquares;
    this.sums = new CompensatedSums(dim);
    this.squares = new CompensatedSums(dim);
    this.absolute = new double[dim];
    this.min = new double[dim];
    this.max = new double[dim];
    this.zeros = new long[dim];
    this.missing = new long[dim];
    Arrays.fill(min, Double.POSITIVE_INFINITY);
    Arrays.fill(max, Double.NEGATIVE_INFINITY);
  }

  /** Adds up to {@link #TOGETHER} vectors with finite values. */
  void add(double[][] vectors, int count) {
    if (count == TOGETHER && exactSquares) {
      addSums(vectors);
      addRanges(vectors);
      return;
    }
    for (int i = 0; i < count; i++) {
      for (int d = 0; d < dim; d++) {
        add(d, vectors[i][d]);
      }
    }
  }

  private void addSums(double[][] v) {
    for (int d = 0; d < dim; d++) {
      double x0 = v[0][d];
      double x1 = v[1][d];
      double x2 = v[2][d];
      double x3 = v[3][d];
      double x4 = v[4][d];
      double x5 = v[5][d];
      double x6 = v[6][d];
      double x7 = v[7][d];
      sums.add(d, ((x0 + x1) + (x2 + x3)) + ((x4 + x5) + (x6 + x7)));
      squares.add(
          d,
          ((x0 * x0 + x1 * x1) + (x2 * x2 + x3 * x3))
              + ((x4 * x4 + x5 * x5) + (x6 * x6 + x7 * x7)));
      absolute[d] +=
          ((Math.abs(x0) + Math.abs(x1)) + (Math.abs(x2) + Math.abs(x3)))
              + ((Math.abs(x4) + Math.abs(x5)) + (Math.abs(x6) + Math.abs(x7)));
    }
  }

  private void addRanges(double[][] vectors) {
    for (int i = 0; i < TOGETHER; i++) {
      double[] vector = vectors[i];
      for (int d = 0; d < dim; d++) {
        addRange(d, vector[d]);
      }
    }
  }

  private void addRange(int d, double value) {
    // branches that are hardly ever taken cost less than Math.min
    if (value < min[d]) {
      min[d] = value;
    }
    if (value > max[d]) {
      max[d] = value;
    }
    if (value == 0) {
      zeros[d]++;
    }
  }

  private void add(int d, double value) {
    sums.add(d, value);
    squares.addSquare(d, value, exactSquares);
    absolute[d] += Math.abs(value);
    addRange(d, value);
  }

  void addFinite(double[] vector) {
    for (int d = 0; d < dim; d++) {
      if (Math.abs(vector[d]) < LayerSums.INFINITE) {
        add(d, vector[d]);
      } else {
        missing[d]++;
      }
    }
  }

  void add(DimensionSums other) {
    sums.add(other.sums);
    squares.add(other.squares);
    for (int d = 0; d < dim; d++) {
      absolute[d] += other.absolute[d];
      min[d] = Math.min(min[d], other.min[d]);
      max[d] = Math.max(max[d], other.max[d]);
      zeros[d] += other.zeros[d];
      missing[d] += other.missing[d];
    }
  }

  /**
   * @param vectors the number of all vectors
   */
  DimensionStatistics statistics(long vectors) {
    long[] counts = new long[dim];
    double[] mean = new double[dim];
    double[] variance = new double[dim];
    double[] meanAbsolute = new double[dim];
    double[] smallest = min.clone();
    double[] largest = max.clone();
    for (int d = 0; d < dim; d++) {
      counts[d] = vectors - missing[d];
      mean[d] = sums.mean(d, counts[d]);
      variance[d] = sums.variance(squares, d, counts[d]);
      meanAbsolute[d] = absolute[d] / counts[d];
      if (counts[d] == 0) {
        smallest[d] = Double.NaN;
        largest[d] = Double.NaN;
      }
    }
    return new DimensionStatistics(
        counts, mean, variance, meanAbsolute, smallest, largest, zeros.clone());
  }

  @Override
  public void write(DataOutput out) throws IOException {
    sums.write(out);
    squares.write(out);
    for (int d = 0; d < dim; d++) {
      out.writeDouble(absolute[d]);
      out.writeDouble(min[d]);
      out.writeDouble(max[d]);
      out.writeLong(zeros[d]);
      out.writeLong(missing[d]);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    sums.readFields(in);
    squares.readFields(in);
    for (int d = 0; d < dim; d++) {
      absolute[d] = in.readDouble();
      min[d] = in.readDouble();
      max[d] = in.readDouble();
      zeros[d] = in.readLong();
      missing[d] = in.readLong();
    }
  }
}
