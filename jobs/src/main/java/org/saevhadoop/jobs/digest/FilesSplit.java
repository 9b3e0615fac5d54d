package org.saevhadoop.jobs.digest;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.InputSplit;

/** Whole files that a task reads. */
final class FilesSplit extends InputSplit implements Writable {
  private final List<String> names = new ArrayList<>();
  private String[] hosts = {};
  private long bytes;

  /** Creates a split that Hadoop fills in. */
  FilesSplit() {}

  /**
   * Creates an empty split.
   *
   * @param hosts the hosts that store the beginning of the first file
   */
  FilesSplit(String... hosts) {
    this.hosts = hosts.clone();
  }

  void add(String name, long length) {
    names.add(name);
    bytes += length;
  }

  List<String> names() {
    return names;
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
    WritableUtils.writeStringArray(out, names.toArray(String[]::new));
    WritableUtils.writeStringArray(out, hosts);
    out.writeLong(bytes);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    names.clear();
    names.addAll(List.of(WritableUtils.readStringArray(in)));
    hosts = WritableUtils.readStringArray(in);
    bytes = in.readLong();
  }

  @Override
  public String toString() {
    return names.size() + " files from " + names.get(0);
  }
}
