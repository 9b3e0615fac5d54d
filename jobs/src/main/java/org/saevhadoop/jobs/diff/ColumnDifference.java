package org.saevhadoop.jobs.diff;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.jobs.task.Streamed;

/** The differences found in some blocks of one column. Results for other blocks can be added. */
final class ColumnDifference implements Streamed {
  /** The maximum number of value pairs that are listed. */
  static final int LISTED = 20;

  long blocks;
  long vectors;
  long values;

  /** The number of values whose bits differ, whatever the tolerance. */
  long bits;

  /** The number of differing value pairs in which at least one value is not finite. */
  long nonFinite;

  /** The largest distances between finite values, whatever the tolerance. */
  double maxAbs;

  double maxRel;

  /** The largest number of steps, as an unsigned integer. */
  long maxUlp;

  /** The pairs with the smallest coordinates, in coordinate order. */
  private final List<ValuePair> first = new ArrayList<>();

  /** Creates an instance without differences. */
  ColumnDifference() {}

  /** Returns whether a pair would be listed if no pair with smaller coordinates followed. */
  boolean lists(long example) {
    return first.size() < LISTED || example < first.get(LISTED - 1).example();
  }

  void list(ValuePair pair) {
    first.add(pair);
    if (first.size() > 1 && first.get(first.size() - 2).compareTo(pair) > 0) {
      first.sort(null);
    }
    if (first.size() > LISTED) {
      first.remove(LISTED);
    }
  }

  List<ValuePair> first() {
    return first;
  }

  /** Adds the distances of two finite values whose bits differ. */
  void measure(double abs, double rel, long ulp) {
    maxAbs = Math.max(maxAbs, abs);
    maxRel = Math.max(maxRel, rel);
    maxUlp = Long.compareUnsigned(maxUlp, ulp) < 0 ? ulp : maxUlp;
  }

  void add(ColumnDifference other) {
    blocks += other.blocks;
    vectors += other.vectors;
    values += other.values;
    bits += other.bits;
    nonFinite += other.nonFinite;
    measure(other.maxAbs, other.maxRel, other.maxUlp);
    other.first.forEach(this::list);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(blocks);
    out.writeLong(vectors);
    out.writeLong(values);
    out.writeLong(bits);
    out.writeLong(nonFinite);
    out.writeDouble(maxAbs);
    out.writeDouble(maxRel);
    out.writeLong(maxUlp);
    out.writeInt(first.size());
    for (ValuePair pair : first) {
      pair.write(out);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    blocks = in.readLong();
    vectors = in.readLong();
    values = in.readLong();
    bits = in.readLong();
    nonFinite = in.readLong();
    maxAbs = in.readDouble();
    maxRel = in.readDouble();
    maxUlp = in.readLong();
    first.clear();
    for (int left = in.readInt(); left > 0; left--) {
      first.add(ValuePair.read(in));
    }
  }
}
