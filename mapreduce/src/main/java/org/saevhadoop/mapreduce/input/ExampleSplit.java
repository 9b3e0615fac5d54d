package org.saevhadoop.mapreduce.input;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/** A range of examples of a dataset, on whatever files they lie. */
public final class ExampleSplit extends InputSplit implements Writable {
  private long first;
  private long count;
  private long bytes;
  private String[] hosts = {};

  /** For Hadoop, which fills it in. */
  public ExampleSplit() {}

  /**
   * @param first number of the first example
   * @param count how many examples
   * @param bytes what a reader of the split will read
   * @param hosts the machines that hold most of these bytes, most first
   */
  public ExampleSplit(long first, long count, long bytes, String[] hosts) {
    this.first = first;
    this.count = count;
    this.bytes = bytes;
    this.hosts = hosts;
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
