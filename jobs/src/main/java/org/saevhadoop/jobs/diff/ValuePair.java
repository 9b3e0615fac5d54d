package org.saevhadoop.jobs.diff;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;

/**
 * Two values that differ.
 *
 * @param example the index of the example among the compared examples
 * @param column the position of the column in the order of the comparison
 * @param vector the index of the vector in the block; for activations, the token
 * @param dim the index of the value in the vector
 * @param a the value in the first dataset as text, such as {@code 0.25}, {@code -3} or {@code NaN}
 * @param b the value in the second dataset
 */
record ValuePair(long example, int column, long vector, int dim, String a, String b)
    implements Comparable<ValuePair> {
  private static final Comparator<ValuePair> ORDER =
      Comparator.comparingLong(ValuePair::example)
          .thenComparingInt(ValuePair::column)
          .thenComparingLong(ValuePair::vector)
          .thenComparingInt(ValuePair::dim);

  @Override
  public int compareTo(ValuePair other) {
    return ORDER.compare(this, other);
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(example);
    out.writeInt(column);
    out.writeLong(vector);
    out.writeInt(dim);
    out.writeUTF(a);
    out.writeUTF(b);
  }

  static ValuePair read(DataInput in) throws IOException {
    return new ValuePair(
        in.readLong(), in.readInt(), in.readLong(), in.readInt(), in.readUTF(), in.readUTF());
  }
}
