package org.saevhadoop.jobs.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.Writable;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;

/** The sums of norms of vectors by an index, such as the position of the token. */
final class NormsByIndex implements Writable {
  private final long[] vectors;
  private final CompensatedSums sums;

  NormsByIndex(int count) {
    this.vectors = new long[count];
    this.sums = new CompensatedSums(count);
  }

  int count() {
    return vectors.length;
  }

  void clear() {
    Arrays.fill(vectors, 0);
    sums.clear();
  }

  void add(int index, double norm) {
    vectors[index]++;
    sums.add(index, norm);
  }

  void add(NormsByIndex other) {
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] += other.vectors[i];
    }
    sums.add(other.sums);
  }

  MeanNorm mean(int index) {
    return new MeanNorm(vectors[index], sums.mean(index, vectors[index]));
  }

  @Override
  public void write(DataOutput out) throws IOException {
    for (long count : vectors) {
      out.writeLong(count);
    }
    sums.write(out);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = in.readLong();
    }
    sums.readFields(in);
  }
}
