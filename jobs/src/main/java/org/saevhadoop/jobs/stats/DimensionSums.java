package org.saevhadoop.jobs.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.Writable;

/** The sums of the values of each dimension. Loops are over dimensions, and are vectorized. */
final class DimensionSums implements Writable {
  /** The size of what is written of a dimension, in bytes. */
  static final int BYTES = 9 * Double.BYTES;

  /** The number of dimensions whose sums stay in the first cache of a processor. */
  private static final int TILE = 256;

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
    clear();
  }

  void clear() {
    sums.clear();
    squares.clear();
    Arrays.fill(absolute, 0);
    Arrays.fill(min, Double.POSITIVE_INFINITY);
    Arrays.fill(max, Double.NEGATIVE_INFINITY);
    Arrays.fill(zeros, 0);
    Arrays.fill(missing, 0);
  }

  /** Adds vectors whose values are finite. */
  void add(double[][] vectors, int count) {
    for (int from = 0; from < dim; from += TILE) {
      int to = Math.min(dim, from + TILE);
      for (int i = 0; i < count; i++) {
        double[] vector = vectors[i];
        sums.add(vector, from, to);
        squares.addSquares(vector, from, to, exactSquares);
        addRange(vector, from, to);
        countZeros(vector, from, to);
      }
    }
  }

  private void addRange(double[] vector, int from, int to) {
    for (int d = from; d < to; d++) {
      absolute[d] += Math.abs(vector[d]);
      min[d] = Math.min(min[d], vector[d]);
      max[d] = Math.max(max[d], vector[d]);
    }
  }

  private void countZeros(double[] vector, int from, int to) {
    for (int d = from; d < to; d++) {
      if (vector[d] == 0) {
        zeros[d]++;
      }
    }
  }

  /** Adds the finite values of a vector. */
  void addFinite(double[] vector) {
    for (int d = 0; d < dim; d++) {
      if (Math.abs(vector[d]) < LayerSums.INFINITE) {
        sums.add(vector, d, d + 1);
        squares.addSquares(vector, d, d + 1, exactSquares);
        addRange(vector, d, d + 1);
        countZeros(vector, d, d + 1);
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
