package org.saevhadoop.jobs.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.saevhadoop.jobs.task.Streamed;

/**
 * The number of occurrences of a kind of value or vector, and the position of the first occurrence.
 */
final class Occurrences implements Streamed {
  private long count;
  private long vector;
  private int dim;

  long count() {
    return count;
  }

  /** Returns the number of the vector of the first occurrence. */
  long vector() {
    return vector;
  }

  /**
   * Returns the index of the value of the first occurrence in its vector; -1 if the occurrence is a
   * whole vector.
   */
  int dim() {
    return dim;
  }

  void add(long atVector, int atDim) {
    add(1, atVector, atDim);
  }

  void add(Occurrences other) {
    if (other.count > 0) {
      add(other.count, other.vector, other.dim);
    }
  }

  private void add(long more, long atVector, int atDim) {
    boolean isFirst = count == 0 || atVector < vector || atVector == vector && atDim < dim;
    if (isFirst) {
      vector = atVector;
      dim = atDim;
    }
    count += more;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(count);
    out.writeLong(vector);
    out.writeInt(dim);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    count = in.readLong();
    vector = in.readLong();
    dim = in.readInt();
  }
}
