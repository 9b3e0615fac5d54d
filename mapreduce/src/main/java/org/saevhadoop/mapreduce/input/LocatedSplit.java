package org.saevhadoop.mapreduce.input;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/** A split with the names of the machines that store its data. */
abstract class LocatedSplit extends InputSplit implements Writable {
  private String[] hosts;

  LocatedSplit(String... hosts) {
    this.hosts = hosts.clone();
  }

  @Override
  public final String[] getLocations() {
    return hosts.clone();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(hosts.length);
    for (String host : hosts) {
      Text.writeString(out, host);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    hosts = new String[in.readInt()];
    for (int i = 0; i < hosts.length; i++) {
      hosts[i] = Text.readString(in);
    }
  }
}
