package org.saevhadoop.mapreduce;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/** One shard, or two halves, that can only be read from its beginning to its end. */
public final class ShardSplit extends InputSplit implements Writable {
  private int number;
  private String name = "";
  private String half = "";
  private long bytes;
  private String[] hosts = {};

  /** For Hadoop, which fills it in. */
  public ShardSplit() {}

  /**
   * A shard.
   *
   * @param number its place among the dataset's shards
   * @param name its path below the dataset's directory
   * @param half that of the shard with the other halves of its vectors; empty where there is none
   * @param bytes the file's length
   */
  ShardSplit(int number, String name, String half, long bytes, String[] hosts) {
    this.number = number;
    this.name = name;
    this.half = half;
    this.bytes = bytes;
    this.hosts = hosts.clone();
  }

  /** The shard's place among those of the dataset. */
  public int number() {
    return number;
  }

  /** The shard's path below the dataset's directory. */
  public String name() {
    return name;
  }

  /** The shard with the other halves of its vectors; empty where there is none. */
  public String half() {
    return half;
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
    out.writeInt(number);
    out.writeUTF(name);
    out.writeUTF(half);
    out.writeLong(bytes);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    number = in.readInt();
    name = in.readUTF();
    half = in.readUTF();
    bytes = in.readLong();
  }

  @Override
  public String toString() {
    return name;
  }
}
