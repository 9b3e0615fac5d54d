package org.saevhadoop.jobs.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.saevhadoop.jobs.task.Streamed;

/**
 * Several sums of doubles, each with the sum of its rounding errors (Neumaier 1974; the errors are
 * computed without branches, as in Knuth, TAOCP 2, 4.2.2).
 */
final class CompensatedSums implements Streamed {
  /** The factor that splits a double into halves of 26 bits (Dekker 1971). */
  private static final double SPLIT = (1 << 27) + 1;

  private final double[] sums;
  private final double[] errors;

  CompensatedSums(int count) {
    this.sums = new double[count];
    this.errors = new double[count];
  }

  /** Adds a value to one of the sums. */
  void add(int i, double value) {
    double before = sums[i];
    double after = before + value;
    double added = after - before;
    errors[i] += (before - (after - added)) + (value - added);
    sums[i] = after;
  }

  /**
   * Adds the square of a value to one of the sums.
   *
   * @param exact whether a double represents the square exactly, as it does for a value of up to 26
   *     bits
   */
  void addSquare(int i, double value, boolean exact) {
    add(i, value * value);
    if (!exact) {
      errors[i] += errorOfSquare(value);
    }
  }

  /** Returns the rounding error of the square of a value (Dekker 1971). */
  private static double errorOfSquare(double value) {
    double large = SPLIT * value;
    double high = large - (large - value);
    double low = value - high;
    return ((high * high - value * value) + 2 * high * low) + low * low;
  }

  /** Adds each of the other sums to the corresponding sum. */
  void add(CompensatedSums other) {
    for (int i = 0; i < sums.length; i++) {
      add(i, other.sums[i]);
      errors[i] += other.errors[i];
    }
  }

  double sum(int i) {
    return sums[i] + errors[i];
  }

  /** Returns the mean of the given number of values; NaN if there are none. */
  double mean(int i, long values) {
    return values == 0 ? Double.NaN : sum(i) / values;
  }

  /**
   * Returns the population variance of the given number of values; NaN if there are none.
   *
   * @param squares the sums of the squares of the values
   */
  double variance(CompensatedSums squares, int i, long values) {
    if (values == 0) {
      return Double.NaN;
    }
    // values * squares - sum * sum, with twice the precision of a double
    double sum = sum(i);
    double sumError = (sums[i] - sum) + errors[i];
    double square = squares.sum(i);
    double squareError = (squares.sums[i] - square) + squares.errors[i];
    double product = sum * sum;
    double productError = Math.fma(sum, sum, -product) + 2 * sum * sumError;
    double scaled = square * values;
    double scaledError = Math.fma(square, values, -scaled) + squareError * values;
    double difference = (scaled - product) + (scaledError - productError);
    return Math.max(0, difference / values / values);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    for (int i = 0; i < sums.length; i++) {
      out.writeDouble(sums[i]);
      out.writeDouble(errors[i]);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    for (int i = 0; i < sums.length; i++) {
      sums[i] = in.readDouble();
      errors[i] = in.readDouble();
    }
  }
}
