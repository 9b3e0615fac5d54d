package org.saevhadoop.mapreduce.input;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/** A range of examples of a dataset, in any number of files. */
public final class ExampleSplit extends InputSplit implements Writable {
  private long first;
  private long count;
  private long bytes;
  private String[] hosts = {};

  /** Creates a split that Hadoop fills in. */
  public ExampleSplit() {}

  /**
   * Creates a split.
   *
   * @param first the number of the first example
   * @param count the number of examples
   * @param bytes the number of bytes that a reader of the split reads
   * @param hosts the hosts that store most of these bytes, in descending order of bytes
   */
  public ExampleSplit(long first, long count, long bytes, String[] hosts) {
    this.first = first;
    this.count = count;
    this.bytes = bytes;
    this.hosts = hosts;
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
  public String[] getLocations() {
    return hosts.clone();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(first);
    out.writeLong(count);
    out.writeLong(bytes);
    out.writeInt(hosts.length);
    for (String host : hosts) {
      Text.writeString(out, host);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    first = in.readLong();
    count = in.readLong();
    bytes = in.readLong();
    hosts = new String[in.readInt()];
    for (int i = 0; i < hosts.length; i++) {
      hosts[i] = Text.readString(in);
    }
  }

  @Override
  public String toString() {
    return "examples " + first + " to " + (first + count - 1);
  }
}
