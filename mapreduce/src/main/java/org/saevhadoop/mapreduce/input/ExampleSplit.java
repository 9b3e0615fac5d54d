package org.saevhadoop.mapreduce.input;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** A range of examples of a dataset, on whatever files they lie. */
public final class ExampleSplit extends LocatedSplit {
  private long first;
  private long count;
  private long bytes;

  /** For Hadoop, which fills it in. */
  public ExampleSplit() {}

  /**
   * @param first number of the first example
   * @param count how many examples
   * @param bytes what a reader of the split will read
   * @param hosts the machines that hold most of these bytes, most first
   */
  public ExampleSplit(long first, long count, long bytes, String[] hosts) {
    super(hosts);
    this.first = first;
    this.count = count;
    this.bytes = bytes;
  }

  /** Number of the first example. */
  public long first() {
    return first;
  }

  /** How many examples. */
  public long count() {
    return count;
  }

  @Override
  public long getLength() {
    return bytes;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(first);
    out.writeLong(count);
    out.writeLong(bytes);
    super.write(out);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    first = in.readLong();
    count = in.readLong();
    bytes = in.readLong();
    super.readFields(in);
  }

  @Override
  public String toString() {
    return "examples " + first + " to " + (first + count - 1);
  }
}
