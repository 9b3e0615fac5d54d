package org.saevhadoop.jobs.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.saevhadoop.jobs.task.Streamed;

/**
 * The number of vectors by norm, in buckets: there are 128 buckets of equal width between two
 * consecutive powers of two, so the value of a bucket differs from each norm in it by at most 0.4
 * %. Zeros are counted separately.
 */
final class NormSketch implements Streamed {
  /** The maximum number of bins of a histogram. */
  static final int MAX_BINS = 64;

  /** The number of fraction bits of a double that follow the 7 highest ones. */
  private static final int SHIFT = 45;

  private long zeros;

  /** The number of norms in each nonempty bucket. */
  private final TreeMap<Integer, Long> counts = new TreeMap<>();

  private static int bucket(double norm) {
    return (int) (Double.doubleToRawLongBits(norm) >>> SHIFT);
  }

  /** Returns the smallest norm in a bucket. */
  private static double from(int bucket) {
    return Double.longBitsToDouble((long) bucket << SHIFT);
  }

  long count() {
    return zeros + sum(counts.values());
  }

  private static long sum(Collection<Long> counts) {
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  void add(double norm) {
    if (norm == 0) {
      zeros++;
    } else {
      counts.merge(bucket(norm), 1L, Long::sum);
    }
  }

  void add(NormSketch other) {
    zeros += other.zeros;
    other.counts.forEach((bucket, count) -> counts.merge(bucket, count, Long::sum));
  }

  /**
   * Returns the norm at a rank, approximated to within 0.4 %.
   *
   * @param rank the rank, at least 0 and less than the number of norms
   */
  double at(long rank) {
    long left = rank - zeros;
    if (left < 0) {
      return 0;
    }
    for (Map.Entry<Integer, Long> entry : counts.entrySet()) {
      left -= entry.getValue();
      if (left < 0) {
        double from = from(entry.getKey());
        double to = from(entry.getKey() + 1);
        return 2 * from / (1 + from / to); // equally far from both, as a ratio
      }
    }
    throw new IndexOutOfBoundsException("no norm has rank " + rank);
  }

  /**
   * Returns the histogram, whose bins consist of whole buckets, without empty bins at either end.
   */
  List<NormStatistics.Bin> histogram() {
    List<NormStatistics.Bin> bins = new ArrayList<>();
    if (counts.isEmpty()) {
      return bins;
    }
    int low = counts.firstKey();
    int high = counts.lastKey();
    int shift = 0;
    while ((high >> shift) - (low >> shift) >= MAX_BINS) {
      shift++;
    }
    for (int bin = low >> shift; bin <= high >> shift; bin++) {
      int from = bin << shift;
      int to = bin + 1 << shift;
      long vectors = sum(counts.subMap(from, to).values());
      bins.add(new NormStatistics.Bin(from(from), from(to), vectors));
    }
    return bins;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(zeros);
    out.writeInt(counts.size());
    for (Map.Entry<Integer, Long> count : counts.entrySet()) {
      out.writeInt(count.getKey());
      out.writeLong(count.getValue());
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    counts.clear();
    zeros = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      counts.put(in.readInt(), in.readLong());
    }
  }
}
