package org.saevhadoop.jobs.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;
import org.saevhadoop.jobs.task.Streamed;

/** The sums of vector norms by an index, such as the token position. */
final class NormsByIndex implements Streamed {
  private final long[] vectors;
  private final CompensatedSums sums;

  NormsByIndex(int count) {
    this.vectors = new long[count];
    this.sums = new CompensatedSums(count);
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

  List<MeanNorm> means() {
    return IntStream.range(0, vectors.length)
        .mapToObj(i -> new MeanNorm(vectors[i], sums.mean(i, vectors[i])))
        .toList();
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
