package org.saevhadoop.jobs.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.Writable;

/**
 * Numbers of vectors by norm, in buckets: 128 of equal width between two powers of two, so that the
 * value of a bucket differs from each norm in it by at most 0.4 %. Zeros are counted apart.
 */
final class NormSketch implements Writable {
  /** The number of bins of a histogram is at most this. */
  static final int MAX_BINS = 64;

  /** The bits of a double below the exponent and the 7 highest bits of its fraction. */
  private static final int SHIFT = 45;

  private static final int MIN_CAPACITY = 256;

  private long zeros;

  /** The bucket of the first count. */
  private int first;

  private long[] counts = {};

  static int bucket(double norm) {
    return (int) (Double.doubleToRawLongBits(norm) >>> SHIFT);
  }

  /** Returns the smallest norm in a bucket. */
  static double from(int bucket) {
    return Double.longBitsToDouble((long) bucket << SHIFT);
  }

  void clear() {
    zeros = 0;
    Arrays.fill(counts, 0);
  }

  long count() {
    return zeros + Arrays.stream(counts).sum();
  }

  void add(double norm) {
    if (norm == 0) {
      zeros++;
    } else {
      add(bucket(norm), 1);
    }
  }

  private void add(int bucket, long more) {
    int index = bucket - first;
    if (index < 0 || index >= counts.length) {
      include(bucket);
      index = bucket - first;
    }
    counts[index] += more;
  }

  private void include(int bucket) {
    int begin = counts.length == 0 ? bucket : Math.min(first, bucket);
    int end = counts.length == 0 ? bucket + 1 : Math.max(first + counts.length, bucket + 1);
    int spare = Math.max(MIN_CAPACITY, end - begin) / 4;
    int from = Math.max(0, begin - spare);
    long[] wider = new long[end + spare - from];
    System.arraycopy(counts, 0, wider, counts.length == 0 ? 0 : first - from, counts.length);
    first = from;
    counts = wider;
  }

  void add(NormSketch other) {
    zeros += other.zeros;
    for (int i = 0; i < other.counts.length; i++) {
      if (other.counts[i] > 0) {
        add(other.first + i, other.counts[i]);
      }
    }
  }

  /** Returns the norm at a rank, from 0; an approximation within 0.4 %. */
  double at(long rank) {
    long left = rank - zeros;
    if (left < 0) {
      return 0;
    }
    int i = 0;
    while (left >= counts[i]) {
      left -= counts[i++];
    }
    double from = from(first + i);
    double to = from(first + i + 1);
    return 2 * from / (1 + from / to); // equally far from both, as a ratio
  }

  /** Returns the histogram: bins of whole buckets, without empty ones at its ends. */
  List<NormStatistics.Bin> histogram() {
    int begin = 0;
    int end = counts.length;
    while (begin < end && counts[begin] == 0) {
      begin++;
    }
    while (begin < end && counts[end - 1] == 0) {
      end--;
    }
    List<NormStatistics.Bin> bins = new ArrayList<>();
    if (begin == end) {
      return bins;
    }
    int low = first + begin;
    int high = first + end - 1;
    int shift = 0;
    while ((high >> shift) - (low >> shift) >= MAX_BINS) {
      shift++;
    }
    for (int bin = low >> shift; bin <= high >> shift; bin++) {
      long vectors = 0;
      for (int i = Math.max(low, bin << shift); i <= Math.min(high, (bin + 1 << shift) - 1); i++) {
        vectors += counts[i - first];
      }
      bins.add(new NormStatistics.Bin(from(bin << shift), from(bin + 1 << shift), vectors));
    }
    return bins;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(zeros);
    out.writeInt((int) Arrays.stream(counts).filter(count -> count > 0).count());
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        out.writeInt(first + i);
        out.writeLong(counts[i]);
      }
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    clear();
    zeros = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      add(in.readInt(), in.readLong());
    }
  }
}
