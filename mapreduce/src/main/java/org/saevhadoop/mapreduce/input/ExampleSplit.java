package org.saevhadoop.mapreduce.input;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** A range of examples of a dataset, in any number of files. */
public final class ExampleSplit extends LocatedSplit {
  private long first;
  private long count;
  private long bytes;

  /** Creates a split that Hadoop fills in. */
  public ExampleSplit() {}

  /**
   * Creates a split.
   *
   * @param bytes the number of bytes that a reader of the split reads
   * @param hosts the hosts that store most of these bytes, in descending order of bytes
   */
  public ExampleSplit(long first, long count, long bytes, String[] hosts) {
    super(hosts);
    this.first = first;
    this.count = count;
    this.bytes = bytes;
  }

  /** Returns the number of the first example. */
  public long first() {
    return first;
  }

  /** Returns the number of examples. */
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
